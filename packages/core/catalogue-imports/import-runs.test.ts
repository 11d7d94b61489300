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

  test("A2 an import that is stopped at its last moment keeps nothing, and says who stopped it", async () => {
    const before = await catalogueRows(db);
    const goOn = Promise.withResolvers<void>();
    const done = withImportRun(db, from, (run) => importSlowly(run, goOn.promise));
    const { id } = await runThat(({ stage }) => stage === "reading");
    expect(await stopImportRun(db, { id, by: "grace@farthing.example" })).toBe(true);
    expect(await stopImportRun(db, { id, by: ada }), "it is stopped already").toBe(false);
    goOn.resolve();
    expect(await done).toEqual({ outcome: "stopped", by: "grace@farthing.example" });
    expect(await catalogueRows(db)).toEqual(before);
    expect(await stopImportRun(db, { id, by: ada }), "it has ended").toBe(false);
  });

  test("A2 who stops an import while it commits is told that it has ended", async () => {
    const committing = Promise.withResolvers<void>();
    let stopping: Promise<boolean> | null = null;
    const done = withImportRun(db, from, (run) =>
      db.transaction().execute(async (trx) => {
        await run.inTransaction(trx, async () => {});
        const [listed] = await findImportRuns(db);
        stopping = stopImportRun(db, { id: listed!.id, by: ada });
        await waitsForLock(db);
        committing.resolve();
        return "imported";
      }),
    );
    await committing.promise;
    expect(await done).toBe("imported");
    expect(await stopping!).toBe(false);
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

/** Resolves once a statement waits for a row that another transaction holds. */
async function waitsForLock(one: typeof db): Promise<void> {
  const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
  await vi.waitUntil(async () => ((await waiting.execute(one)).rows[0]?.count ?? 0) > 0, {
    timeout: 60_000,
    interval: 20,
  });
}
