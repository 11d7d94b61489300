// A server under measurement: node telemetry-server.ts ours|one-by-one|raw-batches <database url>. Prints its port, and its memory when it ends.
import http from "node:http";
import { openDatabase } from "@farthing/db/client.ts";
import { createApp } from "../../apps/server/app.ts";
import { readConfig } from "../../apps/server/env.ts";
import { TrustedNetworks } from "../../apps/server/http/trusted-networks.ts";
import { createListener } from "../../apps/server/http/listener.ts";
import { openMetrics } from "../../apps/server/monitoring/metrics.ts";
import { Readiness } from "../../apps/server/monitoring/readiness.ts";
import { openCollector } from "../../apps/server/telemetry/open-collector.ts";
import { openLogger } from "../../apps/server/monitoring/logger.ts";
import { BATCH_KEY } from "./batch-key.ts";
import { insertRaw, toRawRow } from "./raw-events.ts";

const [kind, url] = process.argv.slice(2) as ["ours" | "one-by-one" | "raw-batches", string];

/** The whole server as it runs with ROLES=collector, behind a proxy that states the visitor's address. */
async function ours(): Promise<http.RequestListener> {
  const { db, pool } = openDatabase({ url, max: 4 });
  const config = {
    ...readConfig({
      DATABASE_URL: url,
      ROLES: "collector",
      LOG_LEVEL: "error",
      TELEMETRY_BATCH_KEYS: BATCH_KEY,
      FARTHING_SECRET: "0c5e1d7a93b84f26e0f97a61c3d82b54aa",
    }),
    trustProxy: new TrustedNetworks("loopback"),
  };
  const { logger, logRequest } = openLogger(config);
  const metrics = openMetrics({ pool });
  const readiness = new Readiness(async () => []);
  readiness.open();
  const collector = await openCollector({ config, db, metrics, closing: [], now: () => new Date() });
  const app = createApp({ config, logger, logRequest, metrics, readiness, web: null, collector });
  return createListener({
    app,
    collector,
    cache: null,
    config,
    sessionCookieName: "",
    metrics,
    logger,
    logRequest,
    readiness,
  });
}

/** The least that a collector without group commit does: parses the event, inserts it, answers. Many connections, as its only way to be fast. */
function oneByOne(): http.RequestListener {
  const { pool } = openDatabase({ url, max: 16 });
  return onBody((text) => insertRaw(pool, [toRawRow(JSON.parse(text))]));
}

/** Multi-row inserts behind HTTP, without any check of the events. */
function rawBatches(): http.RequestListener {
  const { pool } = openDatabase({ url, max: 4 });
  return onBody((text) =>
    insertRaw(
      pool,
      text
        .trim()
        .split("\n")
        .map((line) => toRawRow(JSON.parse(line))),
    ),
  );
}

function onBody(work: (text: string) => Promise<void>): http.RequestListener {
  return (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      void work(Buffer.concat(parts).toString()).then(() => response.writeHead(204).end());
    });
  };
}

const server = http.createServer(kind === "ours" ? await ours() : kind === "raw-batches" ? rawBatches() : oneByOne());
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : 0}\n`);
});
process.on("SIGTERM", () => {
  process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
  process.exit(0);
});
