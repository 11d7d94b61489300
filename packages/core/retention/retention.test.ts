import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { PERSONAL_TABLES } from "../personal-data/rules.ts";
import { RETENTION } from "./rules.ts";
import { cellsOf, spanOf } from "./words.testing.ts";

const { db } = await testDatabase();

test("S1 M5 every table of the database states how long its rows are kept, and no other does", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('schema_migrations', 'schema_functions')
    order by relname`.execute(db);
  expect(Object.keys(RETENTION).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test("S1 M5 docs/operations/retention.md has a line for each table that says the same as the code", () => {
  const document = readFileSync(new URL("../../../docs/operations/retention.md", import.meta.url), "utf8");
  const lines = document
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(lines).toEqual(Object.entries(RETENTION).map(([table, kept]) => cellsOf(table, kept)));
});

test("S1 M5 W10 docs/partners-api.md promises the log of deliveries for as long as it is kept", () => {
  const document = readFileSync(new URL("../../../docs/partners-api.md", import.meta.url), "utf8");
  const end = RETENTION["partner_webhook_deliveries"]?.ends[0];
  expect(document).toContain(`is the log of the last ${spanOf(end?.when === "term" ? end.days : 0)}`);
});

test("S1 M5 what is kept for a term or for good says why", () => {
  for (const [table, { ends, why }] of Object.entries(RETENTION))
    if (ends.some(({ when }) => ["never", "term"].includes(when)) && !ends.some(({ when }) => when === "member-leaves"))
      expect(why, table).toBeTruthy();
});

test("S1 M5 rows that are said to end with the membership are erased when the account is closed", () => {
  const ending = Object.entries(RETENTION)
    .filter(([, { ends }]) => ends.some(({ when }) => when === "member-leaves"))
    .map(([table]) => table);
  const erased = Object.entries(PERSONAL_TABLES)
    .filter(([, { onClosing }]) => onClosing === "erase")
    .map(([table]) => table);
  expect(ending.toSorted()).toEqual(erased.toSorted());
});

test("S1 M5 rows that are said to go with another table's are deleted by a foreign key", async () => {
  const { rows } = await sql<{ pair: string }>`
    select conrelid::regclass || ' with ' || confrelid::regclass as pair from pg_constraint where contype = 'f' and confdeltype = 'c'`.execute(
    db,
  );
  const pairs = rows.map(({ pair }) => pair);
  for (const [table, { ends }] of Object.entries(RETENTION))
    for (const end of ends) if (end.when === "with") expect(pairs).toContain(`${table} with ${end.table}`);
});
