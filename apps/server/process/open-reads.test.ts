import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openMetrics } from "../monitoring/metrics.ts";
import { openReads } from "./open-reads.ts";
import type { Closing } from "./shutdown.ts";

const { db, url } = await testDatabase();
const logged: unknown[] = [];
const log = (...parts: unknown[]) => void logged.push(parts);
const logger = { info: log, warn: log, error: log };

const metrics = openMetrics();

const one = async (from: typeof db) => (await sql<{ one: number }>`select 1 as one`.execute(from)).rows;

test("R3 without a standby every read goes to the database", async () => {
  const closing: Closing[] = [];
  const readStale = openReads({ config: { databaseReadUrl: null, databasePoolSize: 4 }, db, logger, closing, metrics });
  const asked: unknown[] = [];
  await readStale(async (from) => void asked.push(from));
  expect(asked).toEqual([db]);
  expect(closing).toEqual([]);
});

test("R3 an address that is no standby is said once in the log, and never read", async () => {
  const closing: Closing[] = [];
  const readStale = openReads({ config: { databaseReadUrl: url, databasePoolSize: 4 }, db, logger, closing, metrics });
  try {
    await expect.poll(() => logged.length).toBe(1);
    expect(JSON.stringify(logged)).toMatch(/no standby of a primary.+the primary answers instead/);
    const asked: unknown[] = [];
    await readStale(async (from) => {
      asked.push(from);
      return await one(from);
    });
    expect(asked).toEqual([db]);
    expect(await metrics.registry.metrics()).toMatch(/^farthing_standby_read 0$/m);
  } finally {
    for (const part of closing) await part.close();
  }
});
