import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { type Db, openDatabase } from "./client.ts";
import { keepPlan, keepPlanIfDirect, unseenByPlanner } from "./kept-plans.ts";
import { newId } from "./uuid.ts";
import { testDatabase } from "./testing/test-database.ts";

const { db, pool, url } = await testDatabase({ max: 1 });
const other = openDatabase({ url, max: 1 });
afterAll(() => other.close());

const double = async (value: number) =>
  (await sql<{ twice: number }>`${keepPlan} select ${value}::integer * 2 as twice`.execute(db)).rows[0]?.twice;
const keptCount = async () =>
  (await pool.query("select count(*) as kept from pg_prepared_statements where name like 'kept\\_%'")).rows[0]
    .kept as number;

test("P2 the plan of a marked read is kept once per text, and no other plan is", async () => {
  for (const value of [1, 2, 3]) expect(await double(value)).toBe(value * 2);
  await sql`select ${4}::integer`.execute(db);
  expect(await keptCount()).toBe(1);
});

test("P2 an error of a marked read is passed on, and the next read works", async () => {
  await expect(sql`${keepPlan} select 1 / ${0}::integer`.execute(db)).rejects.toThrow(/division by zero/);
  expect(await double(5)).toBe(10);
});

test("P2 every read is answered behind a pooler that loses prepared statements", async () => {
  expect(await double(1)).toBe(2);
  await pool.query("deallocate all"); // as on another connection of the server
  for (const value of [6, 7]) expect(await double(value)).toBe(value * 2);
  expect(await keptCount()).toBe(0);
});

test("P2 every read is answered behind a pooler whose server connection has another client's statement of that name", async () => {
  const read = (value: number) =>
    sql<{ thrice: number }>`${keepPlan} select ${value}::integer * 3 as thrice`.execute(other.db);
  // Find the name that the statement gets, on another connection that keeps plans.
  const first = openDatabase({ url, max: 1 });
  await sql`${keepPlan} select ${1}::integer * 3 as thrice`.execute(first.db);
  const { rows: kept } = await first.pool.query<{ name: string }>("select name from pg_prepared_statements");
  await first.close();
  expect(kept).toHaveLength(1);
  await other.pool.query(`prepare ${kept[0]!.name} (integer) as select $1 * 100`);
  expect((await read(2)).rows).toEqual([{ thrice: 6 }]);
  expect((await read(3)).rows).toEqual([{ thrice: 9 }]);
});

test("P2 any other error is passed on, and plans are still kept", async () => {
  const fresh = openDatabase({ url, max: 1 });
  const read = (value: number) =>
    sql<{ one: number }>`${keepPlan} select 1 / ${value}::integer as one`.execute(fresh.db);
  await expect(read(0)).rejects.toThrow(/division by zero/);
  expect((await read(1)).rows).toEqual([{ one: 1 }]);
  expect((await fresh.pool.query("select name from pg_prepared_statements")).rowCount).toBe(1);
  await fresh.close();
});

const quadruple = (at: Db, value: number) =>
  sql<{ result: number }>`${keepPlanIfDirect} select ${value}::integer * 4 as result`.execute(at);

test("P2 a statement of a transaction keeps its plan on a connection to the server itself", async () => {
  const fresh = openDatabase({ url, max: 1 });
  await fresh.db.transaction().execute(async (trx) => {
    for (const value of [1, 2, 3]) expect((await quadruple(trx, value)).rows).toEqual([{ result: value * 4 }]);
  });
  expect((await fresh.pool.query("select name from pg_prepared_statements")).rowCount).toBe(1);
  await fresh.close();
});

test("P2 a transaction goes on behind a pooler that loses prepared statements", async () => {
  const fresh = openDatabase({ url, max: 1 });
  // What a pooler announces is a number of its own.
  fresh.pool.on("connect", (client) => Object.assign(client, { processID: 1 }));
  await fresh.db.transaction().execute(async (trx) => {
    expect((await quadruple(trx, 5)).rows).toEqual([{ result: 20 }]);
    await sql`deallocate all`.execute(trx); // as on another connection of the server
    expect((await quadruple(trx, 6)).rows).toEqual([{ result: 24 }]);
  });
  expect((await fresh.pool.query("select name from pg_prepared_statements")).rowCount).toBe(0);
  await fresh.close();
});

test("P2 a transaction whose prepared statement is lost all the same fails once, and its next attempt works", async () => {
  const fresh = openDatabase({ url, max: 1 });
  const attempt = () => fresh.db.transaction().execute((trx) => quadruple(trx, 7));
  await attempt();
  await fresh.pool.query("deallocate all");
  await expect(attempt()).rejects.toThrow(/prepared statement .* does not exist/);
  expect((await attempt()).rows).toEqual([{ result: 28 }]);
  await fresh.close();
});

test("P2 a connection whose first marked statement comes too late for its transaction works in the next", async () => {
  const fresh = openDatabase({ url, max: 1 });
  const late = fresh.db.transaction().execute(async (trx) => {
    await sql`select 1 / 0`.execute(trx).catch(() => {});
    await quadruple(trx, 8);
  });
  await expect(late).rejects.toThrow(/transaction is aborted/);
  expect((await fresh.db.transaction().execute((trx) => quadruple(trx, 9))).rows).toEqual([{ result: 36 }]);
  await fresh.close();
});

test("P2 a plan is kept for a value with many rows and one with few, where the planner does not see the value", async () => {
  const [many, few] = [newId(), newId()];
  const fresh = openDatabase({ url, max: 1 });
  await fresh.pool.query("create temporary table owned (owner_id uuid, place integer, primary key (owner_id, place))");
  await fresh.pool.query("insert into owned select $1::uuid, place from generate_series(1, 5000) place", [many]);
  await fresh.pool.query("insert into owned select gen_random_uuid(), 1 from generate_series(1, 20)");
  await fresh.pool.query("insert into owned values ($1::uuid, 1)", [few]);
  await fresh.pool.query("analyze owned");
  const count = async (owner: string) =>
    (
      await sql<{ rows: number }>`${keepPlan}
        select count(*) as rows from owned where owner_id = ${unseenByPlanner(owner, "uuid")}`.execute(fresh.db)
    ).rows[0]?.rows;
  // The plans for a value with few rows look cheaper than one for all values.
  for (let time = 0; time < 10; time += 1) expect(await count(few)).toBe(1);
  for (let time = 0; time < 10; time += 1) expect(await count(many)).toBe(5000);
  const { rows } = await fresh.pool.query<{ kept: number }>("select generic_plans as kept from pg_prepared_statements");
  expect(rows).toEqual([{ kept: 15 }]);
  await fresh.close();
});
