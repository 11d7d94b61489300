import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import type { Db } from "./client.ts";
import { openStandby, type Standby, type StandbyState } from "./stale-reads.ts";
import { testDatabase } from "./testing/test-database.ts";

const primary = await testDatabase();
/** Stands for the standby: which of the two answers is told by its name. */
const other = await testDatabase();
const opened: Standby[] = [];
afterEach(async () => {
  for (const standby of opened.splice(0)) await standby.close();
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const whoAnswers = async (db: Db) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]!.name;

/** A standby that has replayed what `replays` says, at times that the test sets. */
function open(url = other.url) {
  const test = { now: 1_000, replays: true, told: [] as [StandbyState, string][] };
  const standby = openStandby({
    ...{ url, primary: primary.db, max: 2, maxLagMs: 10_000, clock: () => test.now },
    onState: (state, why) => test.told.push([state, why]),
    findReplayed: async (db, positions) => {
      await whoAnswers(db);
      return test.replays ? positions.at(-1)! : null;
    },
  });
  opened.push(standby);
  return { standby, test };
}

test("R3 a standby that keeps up is read, and before the first look the primary", async () => {
  const { standby } = open();
  expect(await standby.readStale(whoAnswers)).toBe(nameOf(primary.url));
  await standby.look();
  expect(await standby.readStale(whoAnswers)).toBe(nameOf(other.url));
});

test("R3 one that is more than ten seconds behind is left alone until it has caught up, and each change is told once", async () => {
  const { standby, test } = open();
  await standby.look();
  const behind = async (now: number) => {
    test.now = now;
    await standby.look();
    return await standby.readStale(whoAnswers);
  };
  const findsOldest = openStandby({
    ...{ url: other.url, primary: primary.db, max: 1, clock: () => test.now },
    findReplayed: async (_, positions) => positions[0]!,
  });
  opened.push(findsOldest);
  await findsOldest.look();
  test.now = 11_000;
  // The primary moves on, and the standby does not follow.
  await primary.pool.query("create table moved_on (id integer)");
  await primary.pool.query("select pg_switch_wal()");
  await findsOldest.look();
  expect(findsOldest.state, "ten seconds").toBe("fresh");
  test.now = 11_001;
  await findsOldest.look();
  expect(findsOldest.state, "more").toBe("late");

  test.replays = false;
  expect(await behind(12_000)).toBe(nameOf(primary.url));
  expect(await behind(13_000)).toBe(nameOf(primary.url));
  test.replays = true;
  expect(await behind(14_000)).toBe(nameOf(other.url));
  expect(test.told.map(([state]) => state)).toEqual(["fresh", "late", "fresh"]);
});

test("R3 while it is away, the read that finds out is answered by the primary", async () => {
  const { standby, test } = open();
  await standby.look();
  const seen: string[] = [];
  const answered = await standby.readStale(async (db) => {
    seen.push(await whoAnswers(db));
    if (seen.length === 1)
      // The standby ends the connection in the middle of the read.
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    return seen.length;
  });
  expect(answered).toBe(2);
  expect(seen).toEqual([nameOf(other.url), nameOf(primary.url)]);
  expect(test.told.at(-1)?.[0]).toBe("away");
  await standby.look();
  expect(await standby.readStale(whoAnswers)).toBe(nameOf(other.url));
});

test("R3 one whose machine is gone is not read: neither the look that waits for it, nor a read for long", async () => {
  const { standby, test } = open();
  await standby.look();
  test.now += 10_000;
  expect(await standby.readStale(whoAnswers)).toBe(nameOf(other.url));
  test.now += 1;
  expect(await standby.readStale(whoAnswers)).toBe(nameOf(primary.url));
  expect(test.told.at(-1)).toEqual(["away", "It does not answer."]);

  const silent = openStandby({
    ...{ url: other.url, primary: primary.db, max: 1, answerTimeoutMs: 50 },
    findReplayed: async (_, positions) => positions.at(-1)!,
  });
  opened.push(silent);
  await silent.look();
  const waits = async (db: Db) => {
    if ((await whoAnswers(db)) === nameOf(other.url)) await sql`select pg_sleep(60)`.execute(db);
    return await whoAnswers(db);
  };
  expect(await silent.readStale(waits)).toBe(nameOf(primary.url));
  expect(silent.state).toBe("away");
});

test("R3 at the start nothing is said of a standby that replays what the first look has just seen", async () => {
  const { standby, test } = open();
  test.replays = false;
  await standby.look();
  expect(test.told).toEqual([]);
  expect(await standby.readStale(whoAnswers)).toBe(nameOf(primary.url));
  test.now += 10_001;
  await standby.look();
  expect(test.told.map(([state]) => state)).toEqual(["late"]);
});

test("R3 a fault of the read itself is passed on, and the read is not repeated", async () => {
  const { standby } = open();
  await standby.look();
  let times = 0;
  const failing = standby.readStale(async (db) => {
    times += 1;
    return await sql`select 1 / 0`.execute(db);
  });
  await expect(failing).rejects.toThrow(/division by zero/);
  expect(times).toBe(1);
});

test("R3 an address where nothing listens, or a database that is no standby, sends no read astray", async () => {
  const { standby: silent } = open("postgres://farthing@127.0.0.1:1/club");
  await silent.look();
  expect(await silent.readStale(whoAnswers)).toBe(nameOf(primary.url));
  const unrelated = openStandby({ url: other.url, primary: primary.db, max: 1 });
  opened.push(unrelated);
  await unrelated.look();
  expect(await unrelated.readStale(whoAnswers)).toBe(nameOf(primary.url));
});
