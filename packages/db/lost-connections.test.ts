import { mkdtempSync, chmodSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase, type OpenedDatabase } from "./client.ts";
import { startEmbedded, type EmbeddedServer } from "./embedded.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

// A PostgreSQL of this file's own: it is restarted and stopped, which nobody else's connections would like.
const folder = mkdtempSync(path.join(tmpdir(), "farthing-lost-test-"));
chmodSync(folder, 0o755);
let server: EmbeddedServer;
let database: OpenedDatabase;
let admin: OpenedDatabase;
const start = () => startEmbedded({ folder: path.join(folder, "postgres"), durable: false });
beforeAll(async () => {
  server = await start();
  database = openDatabase({ url: server.url, max: 4 });
  admin = openDatabase({ url: server.url, max: 1 });
  await sql`create table notes (word text)`.execute(database.db);
});
afterAll(async () => {
  await Promise.all([database.close(), admin.close()]);
  await server.stop({ evenIfUsed: true });
  rmSync(folder, { recursive: true, force: true });
});

/** What would have ended the process. vitest fails a run for them too, but not the test that they belong to. */
const faults: unknown[] = [];
const onFault = (error: unknown) => void faults.push(error);
beforeAll(() => void process.on("uncaughtException", onFault));
afterAll(() => void process.off("uncaughtException", onFault));
beforeEach(() => void faults.splice(0));

const endConnections = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    admin.db,
  );
const isRunning = async (pattern: string) => {
  const { rows } =
    await sql`select 1 from pg_stat_activity where state = 'active' and query like ${pattern} and pid <> pg_backend_pid()`.execute(
      admin.db,
    );
  return rows.length;
};
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- whoever calls it does
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
/** An idle connection may be handed out between its end and the news of it: the one who gets it hears of it, the next one does not. */
const isAnsweredSoon = () => soon(() => outcomeOf(sql`select 1`.execute(database.db))).toBe("done");
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );

test("R1 P6 connections that are ended while they work reject their queries as unavailable, and end nothing else", async () => {
  const working = [1, 2, 3].map((number) =>
    outcomeOf(sql`select pg_sleep(60), ${number}::int as working`.execute(database.db)),
  );
  await soon(() => isRunning("%as working%")).toBe(3);
  await endConnections();
  for (const outcome of await Promise.all(working)) expect(outcome).toBeInstanceOf(DatabaseUnavailableError);
  expect(faults).toEqual([]);
  await isAnsweredSoon();
});

test("R1 P6 a client held between two statements of a transaction loses its connection: nothing of it is kept, and its place is given back", async () => {
  const lost = Array.from({ length: 4 }, () =>
    outcomeOf(
      database.db.transaction().execute(async (trx) => {
        await sql`insert into notes values ('half')`.execute(trx);
        await endConnections().catch(() => undefined);
        // By now nobody asks anything on this connection: its end is an event and not an answer.
        await new Promise((resolve) => setImmediate(resolve));
        await sql`insert into notes values ('other half')`.execute(trx);
      }),
    ),
  );
  for (const outcome of await Promise.all(lost)) expect(outcome).toBeInstanceOf(DatabaseUnavailableError);
  expect(faults).toEqual([]);
  await isAnsweredSoon();
  expect((await sql`select word from notes`.execute(database.db)).rows).toEqual([]);
  // All four places of the pool can be taken again.
  const again = await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.01)`.execute(database.db)));
  expect(again).toHaveLength(4);
});

test("R1 P6 a callback's query and a client of one's own hear of it too", async () => {
  const client = await database.pool.connect();
  const asked = outcomeOf(client.query("select pg_sleep(60) as by_client"));
  const called = new Promise((resolve) =>
    database.pool.query("select pg_sleep(60) as by_callback", (error) => resolve(error)),
  );
  await soon(async () => (await isRunning("%by_client%")) + (await isRunning("%by_callback%"))).toBe(2);
  await endConnections();
  expect(await asked).toBeInstanceOf(DatabaseUnavailableError);
  expect(await called).toBeInstanceOf(DatabaseUnavailableError);
  client.release();
  expect(faults).toEqual([]);
  await isAnsweredSoon();
});

test("R1 what is wrong with a statement is said as before", async () => {
  await expect(sql`select 1 / 0`.execute(database.db)).rejects.toMatchObject({ code: "22012" });
  await expect(sql`select * from nowhere`.execute(database.db)).rejects.toMatchObject({ code: "42P01" });
  await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow(RangeError);
});

test("P6 a pool whose connections are all taken says so as unavailable", async () => {
  const small = openDatabase({ url: server.url, max: 1, patienceMs: 2_000 });
  const taken = await small.pool.connect();
  await expect(sql`select 1`.execute(small.db)).rejects.toThrow(DatabaseUnavailableError);
  taken.release();
  expect((await sql`select 1 as one`.execute(small.db)).rows).toEqual([{ one: 1 }]);
  await small.close();
});

test("R1 P6 while the server is down every query is unavailable at once, and once it is back they are answered without a hand", async () => {
  const working = outcomeOf(sql`select pg_sleep(60) as at_stop`.execute(database.db));
  await soon(() => isRunning("%at_stop%")).toBe(1);
  await server.stop({ evenIfUsed: true });
  expect(await working).toBeInstanceOf(DatabaseUnavailableError);
  for (const ask of [
    sql`select 1`.execute(database.db),
    database.pool.query("select 1"),
    database.db.transaction().execute(async () => 1),
  ])
    expect(await outcomeOf(ask)).toBeInstanceOf(DatabaseUnavailableError);
  server = await start();
  await isAnsweredSoon();
  expect(faults).toEqual([]);
});
