/**
 * Clicks (C1): measures how many clicks per second are durable before their redirect is sent, against a minimal recording.
 * Run alone with: node bench/clicks/run.ts [--seconds 8] [--connections 64] [--rounds 3]
 * Starts its own embedded PostgreSQL in a temporary folder, with fsync on. The load generator, the servers and the database share this
 * machine's processors, so only the ratios are comparable between machines. Needs wrk.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { isSmoke, report } from "../figures.ts";
import { load, type Load, needLoadGenerator } from "../load.ts";
import { createRawInserts } from "./raw-inserts.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    connections: { type: "string", default: "64" },
    rounds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const TARGET_RATIO = 0.65;

interface Measured extends Load {
  megabytes: number;
}

needLoadGenerator();
const server = await startThrowawayServer({ durable: true });
const { db, pool, close } = openDatabase({ url: server.url, max: 4 });
try {
  await migrate(server.url);
  await pool.query(
    "create table raw_clicks (id uuid primary key, reference text not null unique, payload jsonb not null)",
  );
  const brandId = (await insertBrand(db)).id;
  const memberId = (await insertVerifiedMember(db, { brandId })).id;
  const shop = await makeShop(db, {
    brandId,
    networkId: (await insertNetwork(db, { slug: "awin" })).id,
    tiers: [
      { groupId: "1", rateBp: 600 },
      { groupId: "2", rateBp: 250 },
      { groupId: "3", rateBp: 100 },
    ],
  });

  const inProcess = await measureInProcess();
  console.log(`group-committed inserts in one process, no HTTP: ${Math.round(inProcess)} a second`);

  const rounds: { raw: Measured; ours: Measured }[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    const raw = await measure("raw", brandId, memberId, "/");
    const ours = await measure("ours", brandId, memberId, `/go/offers/${shop.offerPublicId}`);
    rounds.push({ raw, ours });
    print(`round ${round}, raw node:http and group-committed insert`, raw);
    print(`round ${round}, click-out (go-routes, snapshot, foreign keys)`, ours);
  }
  const median = (pick: (round: (typeof rounds)[number]) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  const ratio = median(({ raw, ours }) => ours.requestsPerSecond / raw.requestsPerSecond);
  const p99 = median(({ ours }) => ours.p99Ms);
  const stored = await db
    .selectFrom("clicks")
    .select((one) => one.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  console.log(`clicks stored: ${stored.count}`);
  report({
    what: "click-outs, of raw inserts behind raw node:http",
    value: ratio * 100,
    unit: "%",
    target: { atLeast: TARGET_RATIO * 100 },
  });
  const rawP99 = median(({ raw }) => raw.p99Ms);
  report({
    what: `click-outs' p99 with ${connections} connections (${p99.toFixed(1)} ms), of raw's (${rawP99.toFixed(1)} ms)`,
    value: p99 / rawP99,
    unit: "times",
    target: { atMost: 1 },
  });
} finally {
  await close();
  await server.stop();
}

/** One caller per connection, each sending the next request as soon as it has the response. */
async function measureInProcess(): Promise<number> {
  const inserts = createRawInserts(pool);
  const end = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        await inserts.insert();
        count += 1;
      }
    }),
  );
  return count / seconds;
}

async function measure(kind: "ours" | "raw", brandId: string, memberId: string, path: string): Promise<Measured> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("./click-server.ts", import.meta.url)), kind, server.url, brandId, memberId],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const url = `http://127.0.0.1:${port.toString().trim()}${path}`;
    await load(url, { seconds: isSmoke ? 0 : 2, connections }); // warm
    const measured = await load(url, { seconds, connections });
    child.kill("SIGTERM");
    const [memory] = (await once(child.stdout, "data")) as [Buffer];
    return { ...measured, megabytes: Number(memory.toString()) };
  } finally {
    child.kill("SIGKILL");
  }
}

function print(name: string, { requestsPerSecond, p50Ms, p99Ms, failures, megabytes }: Measured): void {
  console.log(
    `${name}: ${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${failures} failed, ${megabytes} MB`,
  );
}
