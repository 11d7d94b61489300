import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { openDatabase } from "@farthing/db/client.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import { startJob } from "../jobs/start-job.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";
import { startCollector } from "./collector.testing.ts";
import { openTracing } from "./open-tracing.ts";
import { pino } from "pino";

const { url } = await testDatabase();
const collector = await startCollector();
const logger = pino({ level: "silent" });

/** A provider, which keeps the headers that it gets. */
const received: IncomingHttpHeaders[] = [];
const provider = createServer((request, response) => {
  received.push(request.headers);
  response.writeHead(request.url === "/away" ? 503 : 200).end("{}");
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const providerHost = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

/** Runs a job for one round with tracing on, ends both as a process does, and returns the spans of the round. */
async function spansOfRound(
  round: (db: ReturnType<typeof openDatabase>) => Promise<number>,
  { name, ratio = "1", late = async () => {} }: { name: string; ratio?: string; late?: () => Promise<unknown> },
) {
  const closing: Closing[] = [];
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio });
  await openTracing({ config, logger, closing });
  const opened = openDatabase({ url });
  closing.push({ name: "database", close: () => opened.close() });
  const { promise: isDone, resolve } = Promise.withResolvers<void>();
  const job = startJob({
    name,
    logger,
    idleMs: 60_000,
    round: () => round(opened).finally(resolve),
  });
  await isDone;
  await job.close();
  await late();
  await closeAll(closing, logger);
  const spans = await collector.spans();
  const root = spans.find((span) => span.name === `job ${name}`);
  return { root, parts: spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId) };
}

const get = (path: string) =>
  new Promise<void>((resolve, reject) => {
    httpRequest(`http://${providerHost}${path}`, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end();
  });

test("P6 a round of a job, its statements and calls by fetch and by Node's client are one trace, kept when the process ends", async () => {
  const { root, parts } = await spansOfRound(
    async ({ db, pool }) => {
      await db.selectFrom("brands").select("id").execute();
      await db.transaction().execute((trx) => sql`select pg_advisory_xact_lock(${7})`.execute(trx));
      await pool.query("select 1");
      await (await fetch(`http://${providerHost}/report?token=planted-token`)).text();
      await get("/other?token=planted-token");
      return 0;
    },
    { name: "first" },
  );
  expect(root?.attributes).toEqual({ "farthing.job": "first", "farthing.job.done": 0 });
  expect(parts.map(({ name }) => name).filter((name) => name !== "select")).toEqual([
    "select brands",
    "begin",
    "commit",
    `GET ${providerHost}`,
    `GET ${providerHost}`,
  ]);
  const calls = parts.filter(({ name }) => name.startsWith("GET"));
  expect(received.map(({ traceparent }) => traceparent)).toEqual(
    calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(calls.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([200, 200]);
  expect(await collector.read()).not.toContain("planted-token");
});

/** Returns an address of this machine at which nothing listens. */
async function closedHost(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

test("S1 P6 what fails is marked with its code, without its message, which repeats values", async () => {
  const { root, parts } = await spansOfRound(
    async ({ db }) => {
      await fetch(`http://${providerHost}/away`);
      await fetch(`http://${await closedHost()}/planted-path`).catch(() => {});
      await sql`select ${"GIFT-PLANTED-4242"}::uuid`.execute(db);
      return 1;
    },
    { name: "second" },
  );
  const failed = { status: { code: 2 } };
  expect(root).toMatchObject({ ...failed, attributes: { "error.type": "22P02" } });
  expect(parts.find(({ name }) => name === "select")).toMatchObject({
    ...failed,
    attributes: { "error.type": "22P02" },
  });
  expect(parts.find(({ name }) => name === `GET ${providerHost}`)).toMatchObject({
    ...failed,
    attributes: { "http.response.status_code": 503 },
  });
  expect(parts.filter(({ attributes }) => attributes["error.type"] === "ECONNREFUSED")).toHaveLength(1);
  expect(await collector.read()).not.toMatch(/GIFT-PLANTED|planted-path/);
});

test("P6 what is not sampled is neither sent nor told to providers", async () => {
  received.length = 0;
  const { root } = await spansOfRound(
    async ({ db }) => {
      await db.selectFrom("brands").select("id").execute();
      await (await fetch(`http://${providerHost}/report`)).text();
      return 0;
    },
    { name: "third", ratio: "0" },
  );
  expect(root).toBeUndefined();
  expect(received.map(({ traceparent }) => traceparent)).toEqual([undefined]);
});

test("P6 what nobody asked for, and what runs on after a round, is in no trace", async () => {
  const runsOn = Promise.withResolvers<unknown>();
  const { root, parts } = await spansOfRound(
    async ({ db }) => {
      setImmediate(() => runsOn.resolve(db.selectFrom("retailers").select("id").execute()));
      return 0;
    },
    { name: "fourth", late: () => runsOn.promise },
  );
  expect(root).toBeDefined();
  expect(parts).toEqual([]);
});
