import { expect, test } from "vitest";
import { newId } from "../uuid.ts";
import { testDatabase } from "./test-database.ts";

const { db, pool } = await testDatabase();

test("P2 a test file's database is migrated, empty and its own", async () => {
  await db.insertInto("networks").values({ id: newId(), slug: "awin", name: "Awin" }).execute();
  expect(await db.selectFrom("networks").select("slug").execute()).toEqual([{ slug: "awin" }]);
});

test("C4 a bigint arrives as a safe integer, and one beyond that is refused, not rounded", async () => {
  const { rows } = await pool.query("select 9007199254740991::bigint as pence");
  expect(rows).toEqual([{ pence: Number.MAX_SAFE_INTEGER }]);
  await expect(pool.query("select 9007199254740992::bigint")).rejects.toThrow(/beyond JavaScript's safe integers/);
});

test("M1 a date without a time arrives as text, in any time zone of the machine", async () => {
  const { rows } = await pool.query("select date '1990-03-25' as born");
  expect(rows).toEqual([{ born: "1990-03-25" }]);
});
