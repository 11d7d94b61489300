import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./client.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url } = await testDatabase();

test("P4 closing ends the connections of a pool that was used without Kysely", async () => {
  const { pool, close } = openDatabase({ url });
  await pool.query("select 1");
  expect(pool.totalCount).toBe(1);
  await close();
  expect(pool.totalCount).toBe(0);
  await expect(pool.query("select 1")).rejects.toThrow(/after calling end/);
});

test("P4 closing ends an unused pool, and closing twice does the same", async () => {
  const { pool, close } = openDatabase({ url });
  await close();
  await close();
  expect(pool.ended).toBe(true);
});

test("P4 closing ends the pool after queries through Kysely and through the pool", async () => {
  const { db, pool, close } = openDatabase({ url });
  await sql`select 1`.execute(db);
  await pool.query("select 1");
  await Promise.all([close(), close()]);
  expect(pool.totalCount).toBe(0);
});

test("P2 once it has closed, the server lists no connection of it: who stops the server next sees no client", async () => {
  const observer = openDatabase({ url, max: 1 });
  const listed = () =>
    observer.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  await expect.poll(async () => (await listed()).rowCount).toBe(0);
  for (let time = 0; time < 20; time += 1) {
    const { pool, close } = openDatabase({ url });
    await Promise.all(Array.from({ length: 5 }, () => pool.query("select pg_sleep(0.01)")));
    await close();
    expect((await listed()).rowCount).toBe(0);
  }
  await observer.close();
});
