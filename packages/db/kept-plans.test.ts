import { sql } from "kysely";
import { expect, test } from "vitest";
import { keepPlan } from "./kept-plans.ts";
import { testDatabase } from "./testing/test-database.ts";

const { db, pool } = await testDatabase({ max: 1 });

const ask = async (value: number) =>
  (await sql<{ twice: number }>`${keepPlan} select ${value}::integer * 2 as twice`.execute(db)).rows[0]?.twice;
const keptCount = async () =>
  (await pool.query("select count(*) as kept from pg_prepared_statements where name like 'kept\\_%'")).rows[0]
    .kept as number;

test("P2 the plan of a marked read is kept, once per text, and of no other", async () => {
  expect([await ask(1), await ask(2), await ask(3)]).toEqual([2, 4, 6]);
  await sql`select ${4}::integer`.execute(db);
  expect(await keptCount()).toBe(1);
});

test("P2 an error of a marked read is its own, and the next one works", async () => {
  await expect(sql`${keepPlan} select 1 / ${0}::integer`.execute(db)).rejects.toThrow(/division by zero/);
  expect(await ask(5)).toBe(10);
});

test("P2 behind a pooler that loses prepared statements every read is still answered", async () => {
  expect(await ask(1)).toBe(2);
  await pool.query("deallocate all"); // what another server connection looks like
  expect([await ask(6), await ask(7)]).toEqual([12, 14]);
  expect(await keptCount()).toBe(0);
});
