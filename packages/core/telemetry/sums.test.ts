import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { makeShop } from "../clicks/clicks.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { openDays } from "./days.server.ts";
import { lookUpTerms } from "./search-results.server.ts";
import { rowsReader, sumsReader } from "./sums-reader.server.ts";
import { alignTransactions, rebuildSums, sumEvents } from "./sums.server.ts";
import { telemetryReaderContract } from "./telemetry-reader-contract.testing.ts";
import { recordEvents, telemetryEvent, untilEnded } from "./telemetry.testing.ts";

const { db } = await testDatabase();
const at = new Date("2026-10-05T12:00:00Z");
const day = { from: "2026-10-05", to: "2026-10-05" };

telemetryReaderContract("rows", { db, read: () => rowsReader(db) });
telemetryReaderContract("sums, nothing summed yet", { db, read: () => sumsReader(db) });
telemetryReaderContract("sums, all summed", {
  db,
  read: () => sumsReader(db),
  async settle() {
    await untilEnded(db);
    await sumEvents(db);
    const { rows } =
      await sql`select from telemetry_events where recorded_in >= (select summed_below from telemetry_watermark)`.execute(
        db,
      );
    expect(rows).toHaveLength(0);
  },
});
telemetryReaderContract("sums, made again", {
  db,
  read: () => sumsReader(db),
  settle: async () => void (await rebuildSums(db)),
});

describe("T7 sums", () => {
  const views = async (brandId: string) =>
    (await sumsReader(db).countByDay({ ...day, brandId })).reduce((total, { events }) => total + events, 0);

  test("T7 an event is counted once: while its transaction is open, after it, and when sums are made at once from several sides", async () => {
    const { id: brandId } = await insertBrand(db);
    await openDays(db, { from: day.from, days: 1 });
    await untilEnded(db);
    await sumEvents(db);
    await db.transaction().execute(async (slow) => {
      await recordEvents(slow, brandId, [telemetryEvent("OfferPage", "slow")], at);
      // A later transaction commits first.
      await recordEvents(db, brandId, [telemetryEvent("OfferPage", "fast")], at);
      expect(await sumEvents(db)).toBe(0);
      expect(await views(brandId)).toBe(1);
    });
    expect(await views(brandId)).toBe(2);
    await untilEnded(db);
    const summed = await Promise.all([sumEvents(db), sumEvents(db), sumEvents(db)]);
    expect(summed.toSorted()).toEqual([0, 0, 2]);
    expect(await views(brandId)).toBe(2);
    expect(await sumEvents(db)).toBe(0);
    await rebuildSums(db);
    expect(await views(brandId)).toBe(2);
  });

  test("R1 after a restore into a server whose transactions begin at 1, new events are above all old ones", async () => {
    const { id: brandId } = await insertBrand(db);
    await untilEnded(db);
    await sumEvents(db);
    // As if the old server had been much further.
    await sql`update telemetry_watermark set summed_below = summed_below + 1000000000`.execute(db);
    await alignTransactions(db);
    await alignTransactions(db);
    await recordEvents(db, brandId, [telemetryEvent("OfferPage", "after the restore")], at);
    expect(await views(brandId)).toBe(1);
    await untilEnded(db);
    expect(await sumEvents(db)).toBe(1);
    expect(await views(brandId)).toBe(1);
    // A copy may have been further than the sums.
    const copied = await db
      .insertInto("telemetry_exports")
      .values({ sink: "memory", exported_below: 5_000_000_000 })
      .returning("exported_below")
      .executeTakeFirstOrThrow();
    await alignTransactions(db);
    await recordEvents(db, brandId, [telemetryEvent("OfferPage", "to be copied")], at);
    const { rows } = await sql`select from telemetry_events where recorded_in >= ${copied.exported_below}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  /** Offers whose sum of the month is not that of its days. */
  const wrongMonths = async () => {
    const { rows } = await sql`
      select from telemetry_offer_months months full join (
        select brand_id, date_trunc('month', day)::date as month, offer_id, sum(views) as views from telemetry_offer_days group by 1, 2, 3
      ) days using (brand_id, month, offer_id) where months.views is distinct from days.views`.execute(db);
    return rows.length;
  };

  test("T7 the first offers of any range are those that counting all rows finds, although only few are counted", async () => {
    const brands = [(await insertBrand(db)).id, (await insertBrand(db)).id];
    const networkId = (await insertNetwork(db)).id;
    const offers: string[] = [];
    for (let index = 0; index < 12; index++)
      offers.push((await makeShop(db, { brandId: brands[0]!, networkId })).offerPublicId);
    // Popular ones of the range and of the rest of its months differ, and many have as many as others.
    const views: [day: string, ofOffer: (index: number) => number][] = [
      ["2026-03-02", (index) => index * 3],
      ["2026-03-20", (index) => (index % 4) + 1],
      ["2026-04-03", (index) => (index * 5) % 7],
      ["2026-04-25", (index) => 20 - index],
    ];
    for (const [at, ofOffer] of views)
      for (const brandId of brands)
        await recordEvents(
          db,
          brandId,
          offers.flatMap((offer, index) =>
            Array.from({ length: ofOffer(index) }, (_, view) =>
              telemetryEvent(view % 3 === 2 ? "OfferRedeemed" : "OfferPage", offer),
            ),
          ),
          new Date(`${at}T12:00:00Z`),
        );
    const compare = async () => {
      for (const brandId of [null, brands[0]!])
        for (const [from, to] of [
          ["2026-03-01", "2026-03-31"],
          ["2026-03-15", "2026-04-10"],
          ["2026-03-10", "2026-03-31"],
          ["2026-03-20", "2026-03-20"],
          ["2026-05-01", "2026-05-31"],
        ] as const)
          for (const max of [1, 2, 3, 30]) {
            const range = { brandId, from, to };
            const [few, all] = [
              await sumsReader(db).countByOffer(range, { max }),
              await rowsReader(db).countByOffer(range, { max }),
            ];
            expect(few, `${from} to ${to}, ${max}`).toEqual(all);
          }
    };
    await compare();
    await untilEnded(db);
    await sumEvents(db);
    await compare();
    // Some are in the sums, and some are not yet.
    await recordEvents(
      db,
      brands[1]!,
      Array.from({ length: 40 }, () => telemetryEvent("OfferPage", offers[3]!)),
      new Date("2026-03-16T12:00:00Z"),
    );
    await compare();
    await untilEnded(db);
    await sumEvents(db);
    await compare();
    expect(await wrongMonths()).toBe(0);
    // Days without events keep their sums, and their month has both.
    await sql`update telemetry_watermark set kept_from = '2026-04-10'`.execute(db);
    await sql`delete from telemetry_events where received_on < '2026-04-10'`.execute(db);
    await rebuildSums(db);
    await sql`update telemetry_watermark set kept_from = null`.execute(db);
    expect(await wrongMonths()).toBe(0);
    const march = { brandId: brands[1]!, from: "2026-03-01", to: "2026-03-31" };
    expect(await sumsReader(db).countByOffer(march, { max: 1 })).toMatchObject([{ offer: offers[3], views: 49 }]);
  });

  test("T7 events of a brand that is gone stop no sums", async () => {
    await untilEnded(db);
    await sumEvents(db);
    await recordEvents(
      db,
      "0190b0a0-0000-7000-8000-0000000000ff",
      [telemetryEvent("OfferPage", "x"), telemetryEvent("SearchPage", "y")],
      at,
    );
    await untilEnded(db);
    expect(await sumEvents(db)).toBe(2);
  });
});

test("T7 what searches find is looked up once a day, the most searched first, and forgotten with the searches", async () => {
  const { id: brandId } = await insertBrand(db);
  await sql`delete from telemetry_search_days`.execute(db);
  const search = (term: string) => telemetryEvent("SearchPage", term);
  await recordEvents(db, brandId, [search("boots"), search("boots"), search("nothing"), search("old")], at);
  await untilEnded(db);
  await sumEvents(db);
  await sql`update telemetry_search_days set day = '2026-09-01' where term = 'old'`.execute(db);
  const asked: string[] = [];
  const count = async ({ term }: { term: string }) => {
    asked.push(term);
    return term === "nothing" ? 0 : 3;
  };
  expect(await lookUpTerms(db, count, { now: at, max: 1 })).toBe(1);
  expect(await lookUpTerms(db, count, { now: at, max: 10 })).toBe(1);
  expect(await lookUpTerms(db, count, { now: new Date(at.getTime() + 24 * 3_600_000 - 1), max: 10 })).toBe(0);
  expect(asked).toEqual(["boots", "nothing"]);
  expect(await lookUpTerms(db, count, { now: new Date(at.getTime() + 24 * 3_600_000), max: 10 })).toBe(2);
  const known = async () =>
    await db.selectFrom("telemetry_search_results").select(["term", "results"]).orderBy("term").execute();
  expect(await known()).toEqual([
    { term: "boots", results: 3 },
    { term: "nothing", results: 0 },
  ]);
  await sql`delete from telemetry_search_days where term = 'nothing'`.execute(db);
  await lookUpTerms(db, count, { now: at, max: 10 });
  expect(await known()).toEqual([{ term: "boots", results: 3 }]);
});
