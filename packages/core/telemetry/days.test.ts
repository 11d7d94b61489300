import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { dropDays, indexDays, listDays, openDays } from "./days.server.ts";
import { sumsReader } from "./sums-reader.server.ts";
import { rebuildSums, sumEvents } from "./sums.server.ts";
import { recordEvents, storedEvents, telemetryEvent, untilEnded } from "./telemetry.testing.ts";

const { db } = await testDatabase();
const days = async () => (await listDays(db)).map(({ day }) => day);

test("T3 days are made ahead, once, over the end of a leap February and of a year", async () => {
  expect(await openDays(db, { from: "2028-02-28", days: 3 })).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
  expect(await openDays(db, { from: "2028-02-28", days: 3 })).toEqual([]);
  expect(await openDays(db, { from: "2027-12-31", days: 2 })).toEqual(["2027-12-31", "2028-01-01"]);
  expect(await days()).toEqual(["2027-12-31", "2028-01-01", "2028-02-28", "2028-02-29", "2028-03-01"]);
  await dropDays(db, { before: "2099-01-01" });
});

test("T3 retention drops whole days and nothing of later ones; the sums stay, and a rebuild keeps those it can't make again", async () => {
  await sql`update telemetry_watermark set kept_from = null`.execute(db);
  const { id: brandId } = await insertBrand(db);
  const search = (term: string) => telemetryEvent("SearchPage", term);
  const popular = ["a", "b", "c"].map((sessionId) => telemetryEvent("SearchPage", "boots", { sessionId }));
  // 23:30 UTC on 30 June is 1 July in London: that day loses a part of its events.
  await recordEvents(db, brandId, [search("rare"), ...popular], new Date("2026-06-30T23:30:00Z"));
  await recordEvents(db, brandId, [search("rare"), ...popular], new Date("2026-07-01T12:00:00Z"));
  await recordEvents(db, brandId, [search("rare"), ...popular], new Date("2026-07-02T12:00:00Z"));
  await untilEnded(db);
  expect(await sumEvents(db)).toBe(12);
  const range = { brandId, from: "2026-06-01", to: "2026-07-31" };
  const counted = async () => (await sumsReader(db).countByDay(range)).map(({ day, events }) => [day, events]);
  expect(await counted()).toEqual([
    ["2026-07-01", 8],
    ["2026-07-02", 4],
  ]);

  expect(await dropDays(db, { before: "2026-07-01" })).toEqual(["2026-06-30"]);
  expect(await days()).toEqual(["2026-07-01", "2026-07-02"]);
  expect(await storedEvents(db)).toHaveLength(8);
  await rebuildSums(db);
  expect(await counted(), "after a rebuild").toEqual([
    ["2026-07-01", 8],
    ["2026-07-02", 4],
  ]);

  expect(await dropDays(db, { before: "2026-07-02" })).toEqual(["2026-07-01"]);
  // What one person searched for goes with the events; what many searched for stays.
  expect(await sumsReader(db).countByTerm(range, { max: 9 })).toMatchObject([
    { term: "boots", searches: 9 },
    { term: "rare", searches: 1 },
  ]);
  expect(await dropDays(db, { before: "2026-07-02" })).toEqual([]);
});

test("T7 what fewer than three people searched for goes with its events, however often they did", async () => {
  await sql`update telemetry_watermark set kept_from = null`.execute(db);
  const { id: brandId } = await insertBrand(db);
  const by = (term: string, sessionId: string, userId: string | null = null) =>
    telemetryEvent("SearchPage", term, { sessionId, userId });
  const evening = new Date("2026-06-30T23:30:00Z");
  const noon = new Date("2026-07-01T12:00:00Z");
  await recordEvents(db, brandId, [by("over midnight", "v1"), by("two over midnight", "v1")], evening);
  await recordEvents(
    db,
    brandId,
    [
      ...Array.from({ length: 9 }, () => by("one visit", "v1")),
      ...["v1", "v2", "v3", "v4"].map((visit) => by("one member", visit, "ann")),
      // Signed in between two searches: the visit is the member's.
      ...[by("before signing in", "v1"), by("before signing in", "v1", "ann"), by("before signing in", "v2", "bea")],
      ...[by("three people", "v1"), by("Three People", "v2", "ann"), by("three people", "v3", "bea")],
      ...[by("over midnight", "v2"), by("over midnight", "v3"), by("two over midnight", "v2")],
      ...[by("two over midnight", "v1"), by("erased", "v1", "gone"), by("erased", "v2", "gone")],
      by("erased", "v3", "gone"),
    ],
    noon,
  );
  // The same terms elsewhere and on another day help none of them.
  const { id: otherBrandId } = await insertBrand(db);
  await recordEvents(db, otherBrandId, [by("one visit", "v8"), by("one visit", "v9")], noon);
  await recordEvents(db, brandId, [by("one visit", "v8"), by("one visit", "v9")], new Date("2026-07-02T12:00:00Z"));
  await untilEnded(db);
  await sumEvents(db);
  await sql`delete from telemetry_events where user_id = 'gone'`.execute(db);
  const kept = async () => {
    const { rows } = await sql<{ term: string }>`
      select term from telemetry_search_days where brand_id = ${brandId} and day = '2026-07-01' order by term`.execute(
      db,
    );
    return rows.map(({ term }) => term);
  };
  await dropDays(db, { before: "2026-07-01" });
  expect(await kept()).toHaveLength(7);
  await dropDays(db, { before: "2026-07-02" });
  expect(await kept()).toEqual(["over midnight", "three people"]);
  await dropDays(db, { before: "2026-07-02" });
  await rebuildSums(db);
  expect(await kept(), "after a rebuild").toEqual(["over midnight", "three people"]);
  await dropDays(db, { before: "2099-01-01" });
});

test("T7 sums of days whose events went before people were counted keep the terms of three searches", async () => {
  const { id: brand_id } = await insertBrand(db);
  const day = "2026-05-01";
  const sums = [1, 2, 3].map((searches) => ({ brand_id, day, term: `term ${searches}`, searches }));
  await db.insertInto("telemetry_search_days").values(sums).execute();
  await dropDays(db, { before: "2026-05-02" });
  const rows = await db.selectFrom("telemetry_search_days").select("term").where("brand_id", "=", brand_id).execute();
  expect(rows).toEqual([{ term: "term 3" }]);
});

test("T3 dropping a day that was interrupted goes on where it stopped", async () => {
  await openDays(db, { from: "2026-08-01", days: 2 });
  const [first] = await listDays(db);
  expect(first).toBeDefined();
  // Detached and not dropped: the table is left over when the same day is wanted again.
  await sql`alter table telemetry_events detach partition telemetry_events_20260801`.execute(db);
  await sql`insert into telemetry_events_20260801 select gen_random_uuid(), '2026-08-01', now(), 1, gen_random_uuid(), 'OfferPage', null, 's', 'a', 'x', null, null`.execute(
    db,
  );
  expect(await openDays(db, { from: "2026-08-01", days: 1 })).toEqual(["2026-08-01"]);
  const { rows } = await sql`select from telemetry_events where received_on = '2026-08-01'`.execute(db);
  expect(rows).toHaveLength(0);
});

test("T3 M5 a day that was detached and not dropped goes with the next ones, and no later one does", async () => {
  await openDays(db, { from: "2026-08-01", days: 3 });
  for (const day of ["20260801", "20260803"])
    await sql`alter table telemetry_events detach partition ${sql.id(`telemetry_events_${day}`)}`.execute(db);
  const tables = async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname ~ '^telemetry_events_202608..$' order by relname`.execute(db);
    return rows.map(({ name }) => name);
  };
  expect(await dropDays(db, { before: "2026-08-02" })).toEqual(["2026-08-01"]);
  expect(await tables()).toEqual(["telemetry_events_20260802", "telemetry_events_20260803"]);
  expect(await dropDays(db, { before: "2026-08-02" })).toEqual([]);
  await dropDays(db, { before: "2026-08-04" });
  expect(await tables()).toEqual([]);
});

test("M5 days that are over get an index by user, the day that is written gets none", async () => {
  await openDays(db, { from: "2026-09-01", days: 2 });
  await indexDays(db, { before: "2026-09-02" });
  await indexDays(db, { before: "2026-09-02" });
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where indexname ~ '^telemetry_events_202609.._user$'`.execute(db);
  expect(rows).toEqual([{ name: "telemetry_events_20260901_user" }]);
});
