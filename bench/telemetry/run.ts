/**
 * Telemetry (T3): measures how many events a second are durable before they are answered, against multi-row inserts of the same rows and against one
 * insert per request. Run alone with: node bench/telemetry/run.ts [--seconds 8] [--connections 64] [--rounds 3] [--lines 1000]
 * Starts its own embedded PostgreSQL in a temporary folder, with fsync on. Load generator, servers and database share this machine's processors, so only
 * the ratios are comparable between machines. Needs wrk.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { isSmoke, report } from "../figures.ts";
import { load, type Load, needLoadGenerator } from "../load.ts";
import { BATCH_KEY } from "./batch-key.ts";
import { CREATE_RAW, insertRaw, toRawRow } from "./raw-events.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    connections: { type: "string", default: "64" },
    rounds: { type: "string", default: "3" },
    lines: { type: "string", default: "1000" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const lines = Number(values.lines);
/** A batch sender waits for its answer: a few at once keep two writers busy. */
const batchConnections = 4;
/** As docs/telemetry.md advises for a collector in a process of its own: garbage is collected before it piles up. */
const COLLECTOR_OPTIONS = "--max-semi-space-size=4 --max-old-space-size=192";
const TARGET = { ofRaw: 60, ofOneByOne: 5, megabytes: 200, p99OfOneByOne: 1 };

interface Measured extends Load {
  events: number;
  megabytes: number;
}

const event = (number: number) =>
  JSON.stringify({
    userId: "lovvGu-SpaqB9Y3_s0VjlQ",
    sessionId: `session-${String(number).padStart(14, "0")}`,
    affinityId: "teachers-members",
    ...(number % 4 === 0
      ? { eventType: "SearchPage", additionalFields: { SearchTerm: `boots ${number}` } }
      : {
          eventType: "OfferPage",
          additionalFields: { OfferId: `a1b2c3d4e${number}`, timestampPageLoad: 1_790_000_000_000 + number },
        }),
  });
const single = { type: "text/plain", text: event(1) };
const batch = {
  type: "application/x-ndjson",
  text: Array.from({ length: lines }, (_, number) => event(number)).join("\n"),
};

needLoadGenerator();
const server = await startThrowawayServer({ durable: true });
const { db, pool, close } = openDatabase({ url: server.url, max: 4 });
try {
  await migrate(server.url);
  await pool.query(CREATE_RAW);
  const { mainHost } = await insertBrand(db, { slug: "bench" });
  await pool.query(`update brands set features = '{"telemetry": true}'`);
  const host = mainHost ?? "bench.test";

  const rounds: { raw: number; rawHttp: Measured; batches: Measured; oneByOne: Measured; singles: Measured }[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    console.log(`round ${round} of ${values.rounds}`);
    const raw = await measureInProcess();
    console.log(`  multi-row inserts of ${lines} in one process, no HTTP: ${Math.round(raw)} events/s`);
    const rawHttp = await measure("raw-batches", {
      path: "/",
      body: batch,
      host,
      perRequest: lines,
      connections: batchConnections,
    });
    print("multi-row inserts behind raw node:http, nothing checked", rawHttp);
    const batches = await measure("ours", {
      path: "/api/Telemetry/batch",
      body: batch,
      host,
      perRequest: lines,
      connections: batchConnections,
    });
    print("batches (NDJSON, checked)", batches);
    const oneByOne = await measure("one-by-one", { path: "/", body: single, host, perRequest: 1, connections });
    print("one insert per request behind raw node:http", oneByOne);
    const singles = await measure("ours", { path: "/api/Telemetry", body: single, host, perRequest: 1, connections });
    print("single events (group commit)", singles);
    rounds.push({ raw, rawHttp, batches, oneByOne, singles });
    await pool.query("truncate raw_events, telemetry_events");
  }
  const median = (pick: (round: (typeof rounds)[number]) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  const failed = rounds.reduce((sum, { batches, singles }) => sum + batches.failures + singles.failures, 0);
  if (failed > 0) throw new Error(`${failed} requests failed: the figures mean nothing`);
  report({
    what: "batches, of multi-row inserts of the same rows in one process",
    value: median(({ raw, batches }) => batches.events / raw) * 100,
    unit: "%",
    target: { atLeast: TARGET.ofRaw },
  });
  report({
    what: "batches, of one insert per request",
    value: median(({ batches, oneByOne }) => batches.events / oneByOne.events),
    unit: "×",
    target: { atLeast: TARGET.ofOneByOne },
  });
  report({
    what: "single events, of one insert per request",
    value: median(({ singles, oneByOne }) => singles.events / oneByOne.events),
    unit: "×",
    target: { atLeast: 1 },
  });
  report({
    what: `p99 of single events, of one insert per request with ${connections} connections (${median(({ singles }) => singles.p99Ms).toFixed(1)} ms)`,
    value: median(({ singles, oneByOne }) => singles.p99Ms / oneByOne.p99Ms),
    unit: "×",
    target: { atMost: TARGET.p99OfOneByOne },
  });
  report({
    what: "memory of the collector",
    value: Math.max(...rounds.flatMap(({ batches, singles }) => [batches.megabytes, singles.megabytes])),
    unit: "MB",
    target: { atMost: TARGET.megabytes },
  });
} finally {
  await close();
  await server.stop();
}

/** Two writers, as the collector has. */
async function measureInProcess(): Promise<number> {
  const parsed = batch.text.split("\n").map((line): unknown => JSON.parse(line));
  const began = performance.now();
  let count = 0;
  await Promise.all(
    [1, 2].map(async () => {
      do {
        await insertRaw(pool, parsed.map(toRawRow));
        count += parsed.length;
      } while (performance.now() - began < seconds * 1000);
    }),
  );
  return count / ((performance.now() - began) / 1000);
}

async function measure(
  kind: "ours" | "one-by-one" | "raw-batches",
  sent: { path: string; body: typeof single; host: string; perRequest: number; connections: number },
): Promise<Measured> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("./telemetry-server.ts", import.meta.url)), kind, server.url],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_ENV: "production", ...(kind === "ours" && { NODE_OPTIONS: COLLECTOR_OPTIONS }) },
    },
  );
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const url = `http://127.0.0.1:${port.toString().trim()}${sent.path}`;
    const headers = { Host: sent.host, Authorization: `Bearer ${BATCH_KEY}` };
    const options = { connections: sent.connections, body: sent.body, headers, variesAddress: true };
    await load(url, { ...options, seconds: isSmoke ? 0 : 2 }); // warm
    const measured = await load(url, { ...options, seconds });
    child.kill("SIGTERM");
    const [memory] = (await once(child.stdout, "data")) as [Buffer];
    return { ...measured, events: measured.requestsPerSecond * sent.perRequest, megabytes: Number(memory.toString()) };
  } finally {
    child.kill("SIGKILL");
  }
}

function print(name: string, { events, requestsPerSecond, p50Ms, p99Ms, failures, megabytes }: Measured): void {
  console.log(
    `  ${name}: ${Math.round(events)} events/s in ${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${failures} failed, ${megabytes} MB`,
  );
}
