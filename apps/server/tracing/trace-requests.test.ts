import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import type { RequestLine } from "../monitoring/logger.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";
import { startCollector } from "./collector.testing.ts";
import { openTracing } from "./open-tracing.ts";

const collector = await startCollector();
const logger = pino({ level: "silent" });
let traces = 0;

/** Sends one request with a caller's span to a traced server; returns the request's spans, and its line in the log. */
async function spanOfRequest({
  trustProxy,
  ratio = "1",
  flags = "01",
  status = 200,
  path = "/",
}: {
  trustProxy: string;
  ratio?: string;
  flags?: "00" | "01";
  status?: number;
  path?: string;
}) {
  const closing: Closing[] = [];
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio };
  const config = readConfig({ ...settings, TRUST_PROXY: trustProxy });
  const tracing = await openTracing({ config, logger, closing });
  const lines: RequestLine[] = [];
  const logRequest = tracing.named((line) => void lines.push(line));
  const server = createServer(
    tracing.around((_, response) => {
      logRequest({ requestId: "r", method: "GET", route: "/pattern", status, ms: 1 });
      response.writeHead(status).end();
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const traceId = `0af7651916cd43dd8448eb211c8031${String((traces += 1)).padStart(2, "0")}`;
  const before = (await collector.spans()).length;
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}`, connection: "close" },
  });
  await new Promise((resolve) => server.close(resolve));
  await closeAll(closing, logger);
  return { traceId, spans: (await collector.spans()).slice(before), line: lines[0] };
}

describe("S1 P6 whose trace a request is in", () => {
  test("P6 a trusted proxy's caller is the parent", async () => {
    const { traceId, spans, line } = await spanOfRequest({ trustProxy: "loopback" });
    expect(spans).toMatchObject([{ traceId, parentSpanId: "b7ad6b7169203331", name: "GET /pattern" }]);
    expect(line?.trace).toBe(traceId);
  });

  test("S1 anybody else's is not: a visitor chooses neither the trace nor its parent", async () => {
    const { traceId, spans } = await spanOfRequest({ trustProxy: "none" });
    expect(spans).toHaveLength(1);
    expect(spans[0]?.traceId).not.toBe(traceId);
    expect(spans[0]?.parentSpanId ?? "").toBe("");
  });

  test("S1 a caller that samples does not raise our share, and one that does not is obeyed", async () => {
    const raised = await spanOfRequest({ trustProxy: "loopback", ratio: "0" });
    expect(raised.spans).toEqual([]);
    expect(raised.line).not.toHaveProperty("trace");
    expect((await spanOfRequest({ trustProxy: "loopback", flags: "00" })).spans).toEqual([]);
  });

  test("S1 P6 a request is named by its pattern, never by its address, and marked where the server failed", async () => {
    const path = "/planted-secret?token=planted-secret";
    const { spans } = await spanOfRequest({ trustProxy: "none", status: 503, path });
    expect(spans).toMatchObject([{ name: "GET /pattern", status: { code: 2 } }]);
    const { spans: refused } = await spanOfRequest({ trustProxy: "none", status: 404, path });
    expect(refused[0]?.status?.code ?? 0).toBe(0);
    expect(await collector.read()).not.toContain("planted-secret");
  });
});
