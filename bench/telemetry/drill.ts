/**
 * Telemetry under kill -9 (T3): a collector process takes 2,000 events a second, single ones and batches, and is killed in the middle and started again, five
 * times. Every acknowledged event has to be in the table once, and no event twice, although senders with an eventId send again whatever was not
 * acknowledged. Run alone with: node bin/run.mjs bench/telemetry/drill.ts [--port 4400] [--seconds 30] [--rate 2000] [--times 5]
 * Starts its own embedded PostgreSQL with fsync on. Exits with 1 if an event was lost or doubled.
 */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase } from "@farthing/db/client.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { appProcess } from "../drills/app-process.ts";
import { BATCH_KEY } from "./batch-key.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4400" },
    seconds: { type: "string", default: "30" },
    rate: { type: "string", default: "2000" },
    times: { type: "string", default: "5" },
  },
});
const [port, seconds, rate, times] = [values.port, values.seconds, values.rate, values.times].map(Number) as [
  number,
  number,
  number,
  number,
];
const BATCH_LINES = 50;
/** Of the events, those that come in batches. */
const BATCH_SHARE = 0.5;
const TICK_MS = 20;

const server = await startThrowawayServer({ durable: true });
const { pool, close } = openDatabase({ url: server.url, max: 2 });
const app = appProcess(port, {
  DATABASE_URL: server.url,
  ROLES: "collector",
  TELEMETRY_BATCH_KEYS: BATCH_KEY,
  // The drill states many visitors' addresses, as a proxy does.
  TRUST_PROXY: "loopback",
});
try {
  // The first start makes the demo brands, whose telemetry is on, and takes a while.
  await app.start();
  await app.stop();
  for (let time = 1; time <= times; time++) await runOnce(time);
} finally {
  await app.stop();
  await close();
  await server.stop();
}

interface Tally {
  sent: number;
  /** Session ids of acknowledged events: each event has its own. */
  acknowledged: Set<string>;
  answers: Map<number, number>;
  times: number[];
}

async function runOnce(time: number): Promise<void> {
  await app.start();
  const tally: Tally = { sent: 0, acknowledged: new Set(), answers: new Map(), times: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const open = new Set<Promise<void>>();
  const began = performance.now();
  let killed = false;
  let restart: Promise<void> | null = null;
  while (performance.now() - began < seconds * 1_000) {
    const elapsed = performance.now() - began;
    if (!killed && elapsed > (seconds * 1_000) / 2) {
      killed = true;
      restart = app.kill().then(() => app.start());
    }
    const due = Math.floor((elapsed / 1_000) * rate) - tally.sent;
    for (let left = due; left > 0;) {
      const inBatch = left >= BATCH_LINES && Math.random() < BATCH_SHARE * 0.04 * BATCH_LINES;
      const count = inBatch ? BATCH_LINES : 1;
      tally.sent += count;
      left -= count;
      const sending = (inBatch ? sendBatch(agent, tally) : sendOne(agent, tally)).finally(() => open.delete(sending));
      open.add(sending);
    }
    await delay(TICK_MS);
  }
  await restart;
  await Promise.all(open);
  agent.destroy();
  const { rows } = await pool.query<{ session_id: string; count: string }>(
    "select session_id, count(*) as count from telemetry_events group by 1",
  );
  const stored = new Map(rows.map((row) => [row.session_id, Number(row.count)]));
  const lost = [...tally.acknowledged].filter((session) => !stored.has(session)).length;
  const doubled = [...stored].filter(([, count]) => count > 1).length;
  const answers = [...tally.answers]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? "none" : status}: ${count}`);
  tally.times.sort((a, b) => a - b);
  console.log(
    `${time} of ${times}: ${tally.sent} events sent in ${seconds} s, ${tally.acknowledged.size} acknowledged, ${stored.size} stored, ${lost} lost, ${doubled} doubled; requests answered ${answers.join(", ")}; p99 ${Math.round(tally.times[Math.floor(tally.times.length * 0.99)] ?? 0)} ms`,
  );
  if (lost > 0 || doubled > 0 || tally.acknowledged.size < tally.sent / 2) process.exitCode = 1;
  await pool.query("truncate telemetry_events");
  await app.stop();
}

function event(session: string, eventId?: string) {
  return {
    ...{
      userId: null,
      sessionId: session,
      affinityId: "drill",
      eventType: "OfferRedeemed",
      additionalFields: { OfferId: "o1" },
    },
    ...(eventId && { eventId }),
  };
}

/** Half of the single events come from senders with an eventId, which try again; the others are a browser's: sent once. */
async function sendOne(agent: Agent, tally: Tally): Promise<void> {
  const session = randomUUID();
  const retries = Math.random() < 0.5;
  const body = JSON.stringify(event(session, retries ? session : undefined));
  for (let attempt = 0; attempt < (retries ? 40 : 1); attempt++) {
    const status = await post(agent, tally, "/api/Telemetry", "text/plain", body);
    if (status === 204) return void tally.acknowledged.add(session);
    await delay(250);
  }
}

async function sendBatch(agent: Agent, tally: Tally): Promise<void> {
  const sessions = Array.from({ length: BATCH_LINES }, () => randomUUID());
  const body = sessions.map((session) => JSON.stringify(event(session, session))).join("\n");
  for (let attempt = 0; attempt < 40; attempt++) {
    const status = await post(agent, tally, "/api/Telemetry/batch", "application/x-ndjson", body);
    if (status === 200) return sessions.forEach((session) => tally.acknowledged.add(session));
    await delay(250);
  }
}

function post(agent: Agent, tally: Tally, path: string, type: string, body: string): Promise<number> {
  const began = performance.now();
  return new Promise<number>((resolve) => {
    const headers = {
      ...{
        host: `localhost:${port}`,
        "content-type": type,
        "content-length": Buffer.byteLength(body),
        authorization: `Bearer ${BATCH_KEY}`,
      },
      "x-forwarded-for": `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.1`,
    };
    const asked = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, (answer) => {
      answer.resume();
      answer.on("error", () => resolve(0));
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.setTimeout(30_000, () => asked.destroy());
    asked.on("error", () => resolve(0));
    asked.end(body);
  }).then((status) => {
    tally.answers.set(status, (tally.answers.get(status) ?? 0) + 1);
    tally.times.push(performance.now() - began);
    return status;
  });
}
