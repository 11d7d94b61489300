import { insertCategory } from "@farthing/core/catalogue/catalogue.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { startIndexJobs } from "./index-jobs.ts";

const { db, pool } = await testDatabase();

test("D2 a change of the catalogue is in the search's index a round later, however it was made", async () => {
  const errors: unknown[] = [];
  const logger = { info: () => {}, warn: () => {}, error: (line: unknown) => void errors.push(line) };
  const job = startIndexJobs({ db, pool, logger, roundMs: 5 });
  const isIndexed = (name: string) => async () => {
    const { rows } = await sql`
      select from search_categories join categories on categories.id = category_id where name = ${name}`.execute(db);
    return rows.length > 0;
  };
  const patience = { timeout: 20_000, interval: 5 };
  try {
    await insertCategory(db, "Kites");
    await vi.waitUntil(isIndexed("Kites"), patience);
    // Only the announcement leads to this one: the first may be of the job's start.
    await insertCategory(db, "Kettles");
    await vi.waitUntil(isIndexed("Kettles"), patience);
  } finally {
    await job.close();
  }
  expect(errors).toEqual([]);
});

test("D2 what changed without an announcement, as the rules do with a new version, is in the index a round after a start", async () => {
  const errors: unknown[] = [];
  const logger = { info: () => {}, warn: () => {}, error: (line: unknown) => void errors.push(line) };
  const { slug } = await insertCategory(db, "Lanterns");
  // Nobody listens yet: this one is not heard of.
  const job = startIndexJobs({ db, pool, logger, roundMs: 500 });
  try {
    const isIndexed = async () => {
      const { rows } = await sql`
        select from search_categories join categories on categories.id = category_id where slug = ${slug}`.execute(db);
      return rows.length > 0;
    };
    // The hour, by which the counts follow otherwise, is 7,200 of these rounds.
    await vi.waitUntil(isIndexed, { timeout: 20_000, interval: 5 });
  } finally {
    await job.close();
  }
  expect(errors).toEqual([]);
});
