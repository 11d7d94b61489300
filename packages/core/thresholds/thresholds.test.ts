import type { Trx } from "@farthing/db/client.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { insertCode, insertOffer, insertRetailer, insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import { findOfferPage } from "../catalogue/offers/queries.server.ts";
import { findRetailerPage } from "../catalogue/retailers/queries.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { findNeeds } from "../needs/find-needs.server.ts";
import { recordPoolState, recordPoolStates } from "../reveals/pool-alarms.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { saveThreshold } from "./operations.server.ts";
import { findThresholdFaults, findThresholdRecord } from "./queries.server.ts";
import { defaultThresholds, isInRange, thresholdKeys, thresholds, type ThresholdKey } from "./rules.ts";
import { thresholdField, type ThresholdStatement } from "./schema.ts";
import { findThresholds } from "./threshold-values.server.ts";

const { db, pool } = await testDatabase();
const HOUR = 3_600_000;
let one: string;
let two: string;
let networkId: string;
beforeAll(async () => {
  one = (await insertBrand(db, { slug: "one" })).id;
  two = (await insertBrand(db, { slug: "two" })).id;
  networkId = (await insertNetwork(db)).id;
});
afterEach(async () => void (await db.deleteFrom("thresholds").execute()));

const set = (key: ThresholdKey, club: number | null, brands: ThresholdStatement["brands"] = {}) =>
  saveThreshold(db, { key, statement: { club, brands }, version: null, now: NOW, follow });
/** As the admin does. */
const follow = async (trx: Trx, key: ThresholdKey, now: Date) =>
  key === "pool-low-percent" ? recordPoolStates(trx, { now }) : undefined;
/** Writes a row past the admin. */
const write = (key: string, club: number | null, brands: object = {}) =>
  db
    .insertInto("thresholds")
    .values({ threshold_key: key, club_value: club, brand_values: JSON.stringify(brands), updated_at: NOW })
    .execute();
const retailer = (name: string) => insertRetailer(db, { name, brandIds: [one, two] });

describe("A2 thresholds", () => {
  test.each(thresholdKeys)("A2 the default of %s is in its range, and the field takes the range and no more", (key) => {
    const { min, max, default: byDefault } = thresholds[key];
    expect(isInRange(key, byDefault)).toBe(true);
    const field = thresholdField(key);
    expect([` ${min} `, String(max), "", " "].map((typed) => field.parse(typed))).toEqual([min, max, null, null]);
    for (const wrong of [
      String(min - 1),
      String(max + 1),
      "1.5",
      "1e1",
      "many",
      "-",
      "0x5",
      "９",
      "\u0000",
      "9".repeat(30),
    ])
      expect(field.safeParse(wrong).success, wrong).toBe(false);
  });

  test("A2 without rows, every threshold has its default, for the club and for a brand", async () => {
    expect(await findThresholds(db)).toEqual(defaultThresholds());
    expect(await findThresholds(db, { brandId: one })).toEqual(defaultThresholds());
  });

  test("A2 the club's value holds for every brand but one that differs; without values the default is back", async () => {
    expect(await set("code-sample", 8, { two: 2 })).toEqual({ outcome: "changed" });
    const values = async () =>
      (await Promise.all([null, one, two].map((brandId) => findThresholds(db, { brandId })))).map(
        (found) => found["code-sample"],
      );
    expect(await values()).toEqual([8, 8, 2]);
    expect(await set("code-sample", 8, { two: 2 })).toEqual({ outcome: "unchanged" });
    await set("code-sample", null);
    expect(await values()).toEqual([5, 5, 5]);
    expect(await set("code-sample", null)).toEqual({ outcome: "unchanged" });
    expect(await set("code-failures", null)).toEqual({ outcome: "unchanged" });
    expect((await findThresholdRecord(db, { key: "code-failures" }))?.version).toBe(0);
  });

  test("A2 what is out of range, of no brand, or of a brand where only the club can differ, is refused", async () => {
    expect(await set("code-failures", 0)).toMatchObject({ outcome: "refused", faults: { club: expect.any(String) } });
    expect(await set("code-failures", null, { one: 101, nobody: 3 })).toMatchObject({
      outcome: "refused",
      faults: { one: expect.stringContaining("1 to 100"), nobody: expect.stringContaining("no brand") },
    });
    expect(await set("pool-low-percent", null, { one: 3 })).toMatchObject({ outcome: "refused" });
    expect(await findThresholds(db)).toEqual(defaultThresholds());
  });

  test("A2 a save that comes too late says what is stored, the first one of all too", async () => {
    const save = (club: number, version: number) =>
      saveThreshold(db, { key: "code-failures", statement: { club, brands: {} }, version, now: NOW, follow });
    const both = await Promise.all([save(4, 0), save(5, 0)]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(["changed", "stale"]);
    expect(both.find(({ outcome }) => outcome === "stale")).toMatchObject({ stored: { version: 1 } });
    expect(await save(6, 1)).toEqual({ outcome: "changed" });
    expect(await save(7, 1)).toMatchObject({ outcome: "stale", stored: { version: 2, stored: { club: 6 } } });
  });

  test("A2 wrong rows break nothing: the next best holds, and each is named", async () => {
    await write("code-failures", 0, { one: "many", two: 4 });
    await write("code-sample", 9, { one: 1.5, two: -3, nobody: 6 });
    await write("scorecard-sample", 2_000_000_000, { one: 1e300, two: null });
    await write("tracking-percent", 80, { one: 70 });
    await write("no-such-threshold", 1);
    const values = async (brandId: string | null) => {
      const found = await findThresholds(db, { brandId });
      return [found["code-failures"], found["code-sample"], found["scorecard-sample"], found["tracking-percent"]];
    };
    expect(await values(null)).toEqual([3, 9, 30, 80]);
    expect(await values(one)).toEqual([3, 9, 30, 70]);
    expect(await values(two)).toEqual([4, 9, 30, 80]);
    const faults = (await findThresholdFaults(db)).map(({ key, brand, found }) => [key, brand, found]);
    expect(faults).toEqual([
      ["code-failures", null, 0],
      ["code-failures", "one", "many"],
      ["code-sample", "one", 1.5],
      ["code-sample", "two", -3],
      ["code-sample", "nobody", 6],
      ["no-such-threshold", null, 1],
      ["scorecard-sample", null, 2_000_000_000],
      ["scorecard-sample", "one", 1e300],
      ["scorecard-sample", "two", null],
      ["tracking-percent", "one", 70],
    ]);
  });

  test("A2 every process that keeps pages hears of a change, whoever made it", async () => {
    const client = await pool.connect();
    const heard = vi.fn<() => void>();
    client.on("notification", heard);
    await client.query('listen "site_content"');
    await set("code-failures", 7);
    await vi.waitUntil(() => heard.mock.calls.length === 1);
    await db.updateTable("thresholds").set({ club_value: 8 }).execute();
    await vi.waitUntil(() => heard.mock.calls.length === 2);
    client.release(true);
  });
});

describe("O4 D3 what members see follows", () => {
  const votesOn = async (offer: { id: string }, votes: [outcome: "worked" | "failed", hoursAgo: number][]) => {
    await insertCode(db, { offerId: offer.id, code: "SAVE" });
    const code = await db
      .selectFrom("offer_codes")
      .select("id")
      .where("offer_id", "=", offer.id)
      .executeTakeFirstOrThrow();
    for (const [outcome, hoursAgo] of votes) {
      const member = await insertSignedInMember(db, { brandId: one });
      const at = new Date(NOW.getTime() - hoursAgo * HOUR);
      await sql`insert into code_votes (id, member_id, code_id, offer_id, outcome, voted_on, voted_at)
        values (${newId()}, ${member.id}, ${code.id}, ${offer.id}, ${outcome}, ${at}::timestamptz::date, ${at})`.execute(
        db,
      );
    }
  };

  test("O4 a code is demoted, and a verdict is shown, by the club's thresholds and by those of a brand", async () => {
    const shop = await retailer("Voted");
    const offer = (popularity: number) => insertOffer(db, { networkId, retailerId: shop.id, kind: "code", popularity });
    const [failing, fine] = [await offer(9), await offer(1)];
    await votesOn(failing, [
      ["failed", 1],
      ["failed", 30],
      ["worked", 40],
    ]);
    const page = (brandId: string) => findOfferPage(db, { brandId, now: NOW, publicId: failing.publicId });
    const order = async (brandId: string) =>
      (await findRetailerPage(db, { brandId, now: NOW, slug: shop.slug }))?.offers.map(({ publicId }) => publicId);
    const [first, last] = [
      [failing.publicId, fine.publicId],
      [fine.publicId, failing.publicId],
    ];
    expect(await order(one)).toEqual(first);
    expect((await page(one))?.codeHealth).toMatchObject({ isDemoted: false, week: null });
    await set("code-failures", 2, { two: 1 });
    expect([await order(one), await order(two)]).toEqual([first, last]);
    expect((await page(two))?.codeHealth).toMatchObject({ isDemoted: true, failedLately: 1, hours: 24 });
    await set("code-failure-hours", 48);
    expect([await order(one), await order(two)]).toEqual([last, last]);
    expect((await page(one))?.codeHealth).toMatchObject({ isDemoted: true, failedLately: 2, hours: 48 });
    await set("code-sample", 3, { two: 4 });
    expect((await page(one))?.codeHealth?.week).toEqual({ worked: 1, failed: 2 });
    expect((await page(two))?.codeHealth?.week).toBeNull();
  });

  test("D3 a scorecard is shown from as many purchases as are set, on a retailer's page and on its offers'", async () => {
    const shop = await retailer("Measured");
    const offer = await insertOffer(db, { networkId, retailerId: shop.id });
    await measure(shop.id, 12, 12);
    const shown = async (brandId: string) => [
      (await findRetailerPage(db, { brandId, now: NOW, slug: shop.slug }))?.scorecard?.purchases ?? null,
      (await findOfferPage(db, { brandId, now: NOW, publicId: offer.publicId }))?.scorecard?.purchases ?? null,
    ];
    expect(await shown(one)).toEqual([null, null]);
    await set("scorecard-sample", 12, { two: 13 });
    expect(await shown(one)).toEqual([12, 12]);
    expect(await shown(two)).toEqual([null, null]);
  });
});

const measure = (retailerId: string, purchases: number, tracked: number) =>
  db
    .insertInto("retailer_scorecards")
    .values({
      retailer_id: retailerId,
      purchases,
      tracked_in_time: tracked,
      decided: 0,
      declined: 0,
      worked_out_at: NOW,
    })
    .execute();

describe("A3 what operators are alerted to follows", () => {
  const need = async (key: string) => {
    const { count, label } = (await findNeeds(db, { role: "owner", now: NOW })).find((each) => each.key === key)!;
    return [count, label];
  };

  test("A3 a retailer's falling tracking share", async () => {
    await db.deleteFrom("retailer_scorecards").execute();
    await measure((await retailer("Falling")).id, 10, 8);
    expect((await need("tracking"))[0]).toBe(0);
    await set("tracking-sample", 10);
    expect((await need("tracking"))[0]).toBe(1);
    await set("tracking-percent", 80);
    expect((await need("tracking"))[0]).toBe(0);
  });

  test("A3 a network that is silent", async () => {
    const ranAt = new Date(NOW.getTime() - 30 * HOUR);
    await db
      .insertInto("network_passes")
      .values({ network_id: networkId, pass: "transaction", covered_until: ranAt, ran_at: ranAt })
      .execute();
    expect(await need("networks")).toEqual([1, "network with a report not read for a day"]);
    await set("network-silent-hours", 30);
    expect(await need("networks")).toEqual([0, "networks with a report not read for 30 hours"]);
    await set("network-silent-hours", 29);
    expect((await need("networks"))[0]).toBe(1);
  });

  test("A3 background work that is behind", async () => {
    expect((await need("work-late"))[0]).toBe(0);
    const at = new Date(NOW.getTime() - 16 * 60_000);
    await queueMail(db, {
      brandId: one,
      memberId: null,
      to: "a@mailbox.example",
      mail: { kind: "no-account" },
      now: at,
    });
    expect(await need("work-late")).toEqual([1, "queue of background work behind by 15 minutes or more"]);
    await set("work-late-minutes", 16);
    expect((await need("work-late"))[0]).toBe(0);
  });

  test("A3 pools that run out: a change looks at every pool again, and ends the alarms that hold no longer", async () => {
    const shop = await retailer("Pools");
    const poolOf = async (total: number, free: number, variantId?: string, offerId?: string) => {
      const id = offerId ?? (await insertOffer(db, { networkId, retailerId: shop.id, kind: "code" })).id;
      for (let at = 0; at < total; at += 1) {
        const memberId = at < free ? null : (await insertSignedInMember(db, { brandId: one })).id;
        await db
          .insertInto("offer_codes")
          .values({
            ...{ id: newId(), offer_id: id, variant_id: variantId ?? null, code: `C${at}-${variantId ?? ""}` },
            ...{ code_kind: "pool", member_id: memberId, assigned_at: memberId && NOW },
          })
          .execute();
      }
      return id;
    };
    const half = await poolOf(4, 2);
    const empty = await poolOf(1, 0);
    const variants = (await insertOffer(db, { networkId, retailerId: shop.id, kind: "code" })).id;
    const adult = await insertVariant(db, { offerId: variants, label: "Adult" });
    const shared = await insertVariant(db, { offerId: variants, label: "Shared", position: 1 });
    await poolOf(5, 1, adult.id, variants);
    await insertCode(db, { offerId: variants, code: "ALL", variantId: shared.id });
    await recordPoolState(db, { offerId: half, variantId: null, now: NOW });
    const alarms = async () =>
      (
        await db
          .selectFrom("code_pool_alarms")
          .select(["offer_id", "variant_id", "level", "codes_free"])
          .where("ended_at", "is", null)
          .execute()
      ).map(({ offer_id: offer, variant_id: variant, level, codes_free: free }) => [offer, variant, level, free]);
    expect(await alarms()).toEqual([]);
    await set("pool-low-percent", 51);
    expect(await alarms()).toEqual(
      expect.arrayContaining([
        [half, null, "low", 2],
        [empty, null, "empty", 0],
        [variants, adult.id, "low", 1],
      ]),
    );
    expect(await alarms()).toHaveLength(3);
    expect((await need("code-pools"))[0]).toBe(3);
    await set("pool-low-percent", 21);
    expect(new Set((await alarms()).map(([offer]) => offer))).toEqual(new Set([empty, variants]));
    // A reveal or a refill goes by the same threshold.
    await recordPoolState(db, { offerId: variants, variantId: adult.id, now: NOW });
    expect(new Set((await alarms()).map(([offer]) => offer))).toEqual(new Set([empty, variants]));
    await set("pool-low-percent", null);
    expect(await alarms()).toEqual([[empty, null, "empty", 0]]);
  });
});
