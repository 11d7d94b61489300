import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { eachListRow, type ListQuery } from "./find-list-page.server.ts";
import { readListState } from "./list-schema.ts";

const { db } = await testDatabase();

test("A3 a file has every row of its list once, however many there are", async () => {
  const rows = 100_001;
  await sql`create table numbered (n bigint primary key)`.execute(db);
  await sql`insert into numbered select generate_series(1, ${rows}::integer)`.execute(db);
  const numbers: ListQuery<"n"> = {
    from: sql`numbered`,
    select: sql`n`,
    where: [],
    sorts: { n: { by: sql`n`, type: "bigint" } },
    id: { by: sql`n`, type: "bigint" },
  };
  const state = readListState(new URLSearchParams(), { sorts: ["n"], defaultSort: "-n" });
  const read: number[] = [];
  for await (const { n } of eachListRow<{ n: number }, "n">(db, numbers, state)) read.push(n);
  expect(read).toHaveLength(rows);
  expect(read.every((n, at) => n === rows - at)).toBe(true);
});
