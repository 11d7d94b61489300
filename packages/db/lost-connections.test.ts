import { mkdtempSync, chmodSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase, type OpenedDatabase } from "./client.ts";
import { startEmbedded, type EmbeddedServer } from "./embedded.ts";
import { DatabaseUnavailableError } from "./unavailable.ts";

// A PostgreSQL of this file's own, because the tests restart and stop it.
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

/**
 * Uncaught errors, which would have ended the process. vitest fails the run for them, but not the test that caused
 * them.
 */
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
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- the caller awaits it
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
/** The pool may hand out a connection that was closed a moment ago: that query rejects, and the next one succeeds. */
const isAnsweredSoon = () => soon(() => outcomeOf(sql`select 1`.execute(database.db))).toBe("done");
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );

test("R1 P6 a connection that is ended during a query rejects that query as unavailable and ends nothing else", async () => {
  const working = [1, 2, 3].map((number) =>
    outcomeOf(sql`select pg_sleep(60), ${number}::int as working`.execute(database.db)),
  );
  await soon(() => isRunning("%as working%")).toBe(3);
  await endConnections();
  for (const outcome of await Promise.all(working)) expect(outcome).toBeInstanceOf(DatabaseUnavailableError);
  expect(faults).toEqual([]);
  await isAnsweredSoon();
});

test("R1 P6 a transaction that loses its connection between two statements is rolled back, and its client returns to the pool", async () => {
  const lost = Array.from({ length: 4 }, () =>
    outcomeOf(
      database.db.transaction().execute(async (trx) => {
        await sql`insert into notes values ('half')`.execute(trx);
        await endConnections().catch(() => undefined);
        // No query runs on this connection now, so its end arrives as an event.
        await new Promise((resolve) => setImmediate(resolve));
        await sql`insert into notes values ('other half')`.execute(trx);
      }),
    ),
  );
  for (const outcome of await Promise.all(lost)) expect(outcome).toBeInstanceOf(DatabaseUnavailableError);
  expect(faults).toEqual([]);
  await isAnsweredSoon();
  expect((await sql`select word from notes`.execute(database.db)).rows).toEqual([]);
  // All four clients of the pool are available again.
  const again = await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.01)`.execute(database.db)));
  expect(again).toHaveLength(4);
});

test("R1 P6 a query with a callback and a query of a checked-out client reject as unavailable too", async () => {
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

test("R1 an error of the statement itself is passed on unchanged", async () => {
  await expect(sql`select 1 / 0`.execute(database.db)).rejects.toMatchObject({ code: "22012" });
  await expect(sql`select * from nowhere`.execute(database.db)).rejects.toMatchObject({ code: "42P01" });
  await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow(RangeError);
});

test("P6 a query that gets no connection within acquireTimeoutMs rejects as unavailable", async () => {
  const small = openDatabase({ url: server.url, max: 1, acquireTimeoutMs: 2_000 });
  const taken = await small.pool.connect();
  await expect(sql`select 1`.execute(small.db)).rejects.toThrow(DatabaseUnavailableError);
  taken.release();
  expect((await sql`select 1 as one`.execute(small.db)).rows).toEqual([{ one: 1 }]);
  await small.close();
});

test("R1 P6 queries reject at once while the server is down, and are answered again when it is back", async () => {
  const working = outcomeOf(sql`select pg_sleep(60) as at_stop`.execute(database.db));
  await soon(() => isRunning("%at_stop%")).toBe(1);
  await server.stop({ evenIfUsed: true });
  expect(await working).toBeInstanceOf(DatabaseUnavailableError);
  for (const query of [
    sql`select 1`.execute(database.db),
    database.pool.query("select 1"),
    database.db.transaction().execute(async () => 1),
  ])
    expect(await outcomeOf(query)).toBeInstanceOf(DatabaseUnavailableError);
  server = await start();
  await isAnsweredSoon();
  expect(faults).toEqual([]);
});
