import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { catalogueRows, importTexts, plainFeed, programme, promotion, recordsFile } from "./catalogue-files.testing.ts";
import { importCatalogue } from "./import-catalogue.server.ts";
import { lockImports } from "./import-lock.server.ts";
import { findImportRuns, stopImportRun, withImportRun, type ImportRun, type ListedRun } from "./import-runs.server.ts";
import { seedNetworks } from "./seed-networks.server.ts";

const { db } = await testDatabase();
await seedNetworks(db);
await importTexts(db, { programmes: recordsFile(programme(1)) });
const ada = "ada@farthing.example";
const from = { source: "offers.json", by: ada };
afterEach(async () => expect(await findImportRuns(db), "an import that has ended is not listed").toEqual([]));

/** Resolves with the only run once it is as told. */
async function runThat(is: (run: ListedRun) => boolean): Promise<ListedRun> {
  return await vi.waitUntil(async () => (await findImportRuns(db)).find(is), { timeout: 60_000, interval: 20 });
}

/** A file of promotions that arrives record by record, for as long as the test lets it. */
function slowFile(goOn: Promise<void>) {
  return {
    name: "offers.json",
    async *open() {
      const text = new TextEncoder();
      yield text.encode(`[${JSON.stringify(promotion(1, 1))}`);
      for (let id = 2; id <= 1_000; id += 1) yield text.encode(`,${JSON.stringify(promotion(id, 1))}`);
      await goOn;
      yield text.encode("]");
    },
  };
}

const importSlowly = (run: ImportRun, goOn: Promise<void>) =>
  importCatalogue(db, { network: "awin", feed: plainFeed, now: new Date(), promotions: slowFile(goOn), run });

describe("A2 imports under way", () => {
  test("A2 an import says how far it is, and is not listed afterwards", async () => {
    const goOn = Promise.withResolvers<void>();
    const done = withImportRun(db, from, (run) => importSlowly(run, goOn.promise));
    const run = await runThat(({ stage, rows }) => stage === "reading" && rows === 1_000);
    expect(run).toMatchObject({ source: "offers.json", startedBy: ada, isStopped: false });
    goOn.resolve();
    expect((await done).outcome).toBe("imported");
    expect((await catalogueRows(db))["offers"]).toHaveLength(1_000);
    await sql`delete from offers`.execute(db);
  });

  test("A2 an import that is stopped while it reads keeps nothing, and says who stopped it", async () => {
    const before = await catalogueRows(db);
    const goOn = Promise.withResolvers<void>();
    const done = withImportRun(db, from, (run) => importSlowly(run, goOn.promise));
    const { id } = await runThat(({ stage }) => stage === "reading");
    expect(await stopImportRun(db, { id, by: "grace@farthing.example" })).toBe(true);
    expect(await stopImportRun(db, { id, by: ada }), "it is stopped already").toBe(false);
    await untilItHasHeard(id);
    goOn.resolve();
    expect(await done).toEqual({ outcome: "stopped", by: "grace@farthing.example" });
    expect(await catalogueRows(db)).toEqual(before);
    expect(await stopImportRun(db, { id, by: ada }), "it has ended").toBe(false);
  });

  test("A2 an import that waits in the database is stopped there", async () => {
    const holding = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const other = db.transaction().execute(async (trx) => {
      await lockImports(trx);
      locked.resolve();
      await holding.promise;
    });
    await locked.promise;
    const done = withImportRun(db, from, (run) => importSlowly(run, Promise.resolve()));
    const { id } = await runThat(({ stage }) => stage === "waiting");
    await stopImportRun(db, { id, by: ada });
    expect(await done).toEqual({ outcome: "stopped", by: ada });
    holding.resolve();
    await other;
  });

  test("A2 a run whose process was killed is not listed once it has been silent, and goes with the next import", async () => {
    await sql`insert into catalogue_import_runs (id, source_name, started_by, heard_at)
      values (gen_random_uuid(), 'lost.json', ${ada}, clock_timestamp() - interval '61 seconds')`.execute(db);
    expect(await findImportRuns(db)).toEqual([]);
    await withImportRun(db, from, async () => "done");
    expect(await db.selectFrom("catalogue_import_runs").selectAll().execute()).toEqual([]);
  });
});

/** Waits until the import has heard that it is stopped. */
async function untilItHasHeard(id: string): Promise<void> {
  const heard = async () =>
    (await sql<{ at: Date }>`select heard_at as at from catalogue_import_runs where id::text = ${id}`.execute(db))
      .rows[0]?.at;
  const first = await heard();
  await vi.waitUntil(async () => +((await heard()) ?? 0) > +(first ?? 0), { timeout: 60_000, interval: 20 });
  const second = await heard();
  await vi.waitUntil(async () => +((await heard()) ?? 0) > +(second ?? 0), { timeout: 60_000, interval: 20 });
}
