import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";

const { db, pool, url } = await testDatabase();
const CLICKS = 1_000;
const CONNECTIONS = 32;
const HELD = 7_146; // any number: names the lock that holds commits

let brandId: string;
let networkId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

test("R1 C1 no redirect is sent before the commit: a server that is killed while PostgreSQL holds the commit has acknowledged nothing", async () => {
  const memberId = (await insertVerifiedMember(db, { brandId })).id;
  const shop = await makeShop(db, { brandId, networkId });
  // Deferred triggers are the last thing before a commit: this one waits there for as long as the test holds the lock.
  await pool.query(`
    create function hold_commit() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${HELD}); return null; end $$;
    create constraint trigger hold_commit after insert on clicks deferrable initially deferred
      for each row execute function hold_commit()`);
  const holder = await pool.connect();
  const { server, port } = await startServer(memberId);
  const agent = new http.Agent({ keepAlive: true });
  const answers: (string | null)[] = [];

  /** Sends clicks, and resolves once some are at their commit and the server has answered many later requests. */
  async function clicksAtTheirCommit(): Promise<Promise<number>[]> {
    const clicks = Array.from({ length: CONNECTIONS }, async () =>
      answers.push(await follow(agent, port, shop.offerPublicId)),
    );
    const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
    while ((await pool.query(waiting)).rowCount === 0);
    for (let others = 0; others < 25; others += 1) await follow(agent, port, "unknown");
    return clicks;
  }

  try {
    await holder.query(`select pg_advisory_lock(${HELD})`);
    const released = await clicksAtTheirCommit();
    expect(answers).toEqual([]);
    await holder.query(`select pg_advisory_unlock(${HELD})`);
    await Promise.all(released);
    expect(new Set(answers)).toEqual(await storedReferences(memberId));
    expect(new Set(answers).size).toBe(CONNECTIONS);

    await holder.query(`select pg_advisory_lock(${HELD})`);
    const lost = await clicksAtTheirCommit();
    await kill(server);
    await Promise.all(lost);
    expect(answers.slice(CONNECTIONS)).toEqual(Array(CONNECTIONS).fill(null));
  } finally {
    holder.release(true); // its lock goes with it
    agent.destroy();
    await kill(server);
    await pool.query("drop trigger hold_commit on clicks; drop function hold_commit");
  }
});

test("R1 kill -9 of the server during 1,000 clicks loses and duplicates no acknowledged click", async () => {
  const memberId = (await insertVerifiedMember(db, { brandId })).id;
  const shop = await makeShop(db, { brandId, networkId });
  const acknowledged: string[] = [];
  let unanswered = 0;
  let sent = 0;

  while (sent < CLICKS) {
    const { server, port } = await startServer(memberId);
    const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const killAfter = acknowledged.length + 180; // five or so servers live and die for this
    let dead = false;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (!dead && sent < CLICKS) {
          sent += 1;
          const reference = await follow(agent, port, shop.offerPublicId);
          if (reference === null) {
            dead = true;
            unanswered += 1;
          } else acknowledged.push(reference);
          if (acknowledged.length >= killAfter && !server.killed) server.kill("SIGKILL");
        }
      }),
    );
    await kill(server);
    agent.destroy();
  }

  const stored = await storedReferences(memberId);
  expect(unanswered).toBeGreaterThan(0); // the kills did fall among requests in flight
  expect(acknowledged.length).toBeGreaterThan(CLICKS / 2);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.filter((reference) => !stored.has(reference))).toEqual([]);
  expect(stored.size).toBeLessThanOrEqual(CLICKS);
});

async function startServer(memberId: string): Promise<{ server: ChildProcess; port: number }> {
  const script = fileURLToPath(new URL("./go-process.testing.ts", import.meta.url));
  const server = spawn(process.execPath, [script, url, brandId, memberId], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  return { server, port: Number(line.toString()) };
}

async function kill(server: ChildProcess): Promise<void> {
  if (!server.killed) server.kill("SIGKILL");
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
}

async function storedReferences(memberId: string): Promise<Set<string>> {
  const rows = await db.selectFrom("clicks").select("reference").where("member_id", "=", memberId).execute();
  return new Set(rows.map((row) => row.reference));
}

/** Returns the reference in the redirect, or null if the server died first. */
function follow(agent: http.Agent, port: number, publicId: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = http.get({ agent, port, host: "127.0.0.1", path: `/go/offers/${publicId}` }, (response) => {
      response.resume();
      const { location } = response.headers;
      resolve(location ? new URL(location, "http://club.test").searchParams.get("clickref") : null);
    });
    request.on("error", () => resolve(null));
  });
}
