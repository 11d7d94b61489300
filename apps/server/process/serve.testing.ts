// A process for tests of shutdown: the real listener, app and shutdown around a tiny site. Prints its port, then
// its log.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { htmlPage, testApp } from "../app.testing.ts";
import { createListener } from "../http/listener.ts";
import { openLogger } from "../monitoring/logger.ts";
import { createShutdown } from "./shutdown.ts";

const brand = { id: "one", slug: "one", name: "one" } as Brand;
const { logger, logRequest, close } = openLogger({ logLevel: "info", environment: "dev" });
// A post is answered once its body is complete, so the test decides when a request in flight ends.
const { app, pages, metrics, readiness, config } = testApp(
  [brand],
  async (request, visit) => htmlPage(`got ${(await request.text()).length}`, visit),
  { logger, logRequest },
);
const server = createServer(
  createListener({
    app,
    cache: pages.cache,
    config,
    sessionCookieName: "farthing_session",
    metrics,
    logger,
    logRequest,
    readiness,
  }),
);
const closing = [
  { name: "what was opened first", close: () => logger.info("closed first") },
  { name: "what fails", close: () => Promise.reject(new Error("will not close")) },
  { name: "what was opened last", close: () => logger.info("closed last") },
];
const [limitMs, drainMs] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 0)];
const stop = createShutdown({
  server,
  readiness,
  logger,
  drainMs,
  closing: [{ name: "log", close }, ...closing],
  limitMs,
  exit: (code) => process.exit(code),
});
process.on("SIGTERM", () => void stop("SIGTERM"));
server.listen(0, "127.0.0.1", () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`));
