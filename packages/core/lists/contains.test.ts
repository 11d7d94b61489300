import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { contains } from "./contains.ts";

const { db } = await testDatabase();

/** Returns which of the names the condition holds for. */
async function found(typed: string, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) name where ${contains(sql`lower(name)`, typed)} order by name`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

test("A3 three letters are found anywhere, and fewer where a word begins", async () => {
  const names = ["Ada Marley", "Marcus O'Dean", "Li Wu", "Élodie Dé", "10% _off", "Wulf"];
  expect(await found("ARL", names)).toEqual(["Ada Marley"]);
  expect(await found("ar", names)).toEqual([]);
  expect(await found(" wu ", names)).toEqual(["Li Wu", "Wulf"]);
  expect(await found("d", names)).toEqual(["Élodie Dé"]);
  expect(await found("é", names)).toEqual(["Élodie Dé"]);
  expect(await found("10%", names)).toEqual(["10% _off"]);
  expect(await found("_off", names)).toEqual(["10% _off"]);
  for (const nothing of ["%", "_", "\\", "--", "?", "   "]) expect(await found(nothing, names)).toEqual([]);
});
