import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { createClickRecorder } from "../clicks/click-recorder.server.ts";
import { clickAt, makeShop } from "../clicks/clicks.testing.ts";
import { findOfferTarget } from "../clicks/queries.server.ts";
import type { PreFlightFinding } from "../clicks/pre-flight.ts";
import { takeRateSnapshot } from "../clicks/rate-snapshot.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { makeClub, type ClubForTests } from "./cashback.testing.ts";
import { findReceipt } from "./find-receipt.server.ts";
import { preFlightWords, receiptDates, receiptJson, receiptRates, receiptText } from "./receipt.ts";
import { clickNumberOf } from "./schema.ts";

const { db } = await testDatabase();
let club: ClubForTests;
beforeAll(async () => {
  club = await makeClub(db);
});
const now = new Date("2026-11-20T12:00:00Z");

/** Follows an offer's link as the server does. */
async function follow(shop: ClubForTests["shop"], recorder = createClickRecorder({ db })) {
  const found = await findOfferTarget(db, {
    brandId: club.brandId,
    publicId: shop.offerPublicId,
    variantPublicId: null,
    now,
  });
  if (found.outcome !== "found") throw new Error(found.outcome);
  const { target } = found;
  const { clickNumber } = await recorder.record({
    ...clickAt(shop, club),
    rateSnapshot: takeRateSnapshot(target, now),
    termsHash: target.termsHash,
    terms: target.terms,
    createdAt: now,
  });
  return { clickNumber, recorder, target };
}

describe("C5 the receipt of a click", () => {
  test("C5 rates and terms that change after the click leave the receipt as it was", async () => {
    const shop = await makeShop(db, { ...club, tiers: [{ groupId: "9", rateBp: 400, capPence: 2_000 }] });
    await db.updateTable("retailers").set({ terms: "No gift cards." }).where("id", "=", shop.retailerId).execute();
    const { clickNumber, recorder } = await follow(shop);
    await db.updateTable("retailers").set({ terms: "Nothing at all." }).where("id", "=", shop.retailerId).execute();
    await db.updateTable("rate_tiers").set({ member_rate_bp: 100 }).where("id", "=", shop.tierIds["9"]!).execute();
    const before = (await findReceipt(db, { memberId: club.memberId, clickNumber }))!;
    const later = await follow(shop, recorder);
    const after = (await findReceipt(db, { memberId: club.memberId, clickNumber: later.clickNumber }))!;
    await recorder.close();
    expect([before.terms, receiptRates(before.snapshot)[0]?.pays]).toEqual([
      expect.stringContaining("No gift cards."),
      "4% cashback",
    ]);
    expect([after.terms, receiptRates(after.snapshot)[0]?.pays]).toEqual([
      expect.stringContaining("Nothing at all."),
      "1% cashback",
    ]);
    expect(before.termsHash).not.toBe(after.termsHash);
  });

  test("C5 clicks under the same terms keep them once, also from several processes at once", async () => {
    const shop = await makeShop(db, club);
    const done = await Promise.all(Array.from({ length: 6 }, () => follow(shop)));
    await Promise.all(done.map(({ recorder }) => recorder.close()));
    const rows = await db
      .selectFrom("click_terms")
      .selectAll()
      .where("terms_hash", "=", done[0]!.target.termsHash)
      .execute();
    expect(rows).toHaveLength(1);
    await expect(db.updateTable("click_terms").set({ terms: "other" }).execute()).rejects.toThrow(
      "rows are written once",
    );
  });

  test("S1 a receipt is its member's own: another member's number and an unknown one find nothing", async () => {
    const { clickNumber, recorder } = await follow(await makeShop(db, club));
    await recorder.close();
    const stranger = (await insertVerifiedMember(db, { brandId: club.brandId })).id;
    expect(await findReceipt(db, { memberId: club.memberId, clickNumber })).toMatchObject({ clickNumber });
    expect(await findReceipt(db, { memberId: stranger, clickNumber })).toBeNull();
    expect(await findReceipt(db, { memberId: club.memberId, clickNumber: "0000-0000-0000" })).toBeNull();
  });

  test("C5 as text it has everything, in lines that fit a page; as JSON it can be read back", async () => {
    const shop = await makeShop(db, club);
    await db
      .updateTable("retailers")
      .set({ terms: `Long. ${"Many words make a long line. ".repeat(20)}` })
      .where("id", "=", shop.retailerId)
      .execute();
    const { clickNumber, recorder } = await follow(shop);
    await recorder.close();
    const receipt = (await findReceipt(db, { memberId: club.memberId, clickNumber }))!;
    const text = receiptText(receipt, { brandName: "Chalkside" });
    for (const words of [
      clickNumber,
      receipt.reference,
      receipt.termsHash,
      "RATES AT THE CLICK",
      "For example:",
      "TERMS AT THE CLICK",
    ])
      expect(text).toContain(words);
    const wide = text
      .split("\r\n")
      .filter((line) => line.length > 78 && line.includes(" ") && !line.includes(receipt.termsHash));
    expect(wide).toEqual([]);
    expect(JSON.parse(receiptJson(receipt, { brandName: "Chalkside" }))).toMatchObject({
      club: "Chalkside",
      clickNumber,
      clickedAt: now.toISOString(),
      rates: [{ kind: "percent" }],
    });
    expect(text).not.toContain(club.memberId);
  });

  test("C1 C5 the receipt says what the check of the browser found, in each of its forms; an unchecked click says so", async () => {
    const found = async (preFlight: PreFlightFinding | null) => {
      const recorder = createClickRecorder({ db });
      const { clickNumber } = await recorder.record({ ...clickAt(club.shop, club), preFlight });
      await recorder.close();
      const receipt = (await findReceipt(db, { memberId: club.memberId, clickNumber }))!;
      const text = receiptText(receipt, { brandName: "Club" }).replaceAll(/\s+/g, " ");
      expect(text).toContain(`Check of your browser: ${preFlightWords(preFlight)}`);
      expect(JSON.parse(receiptJson(receipt, { brandName: "Club" }))).toMatchObject({ preFlight });
      return preFlightWords(receipt.preFlight);
    };
    expect(await found(null)).toContain("was not checked");
    expect(await found("healthy")).toContain("reached the network");
    expect(await found("slow")).toContain("did not answer");
    expect(await found("blocked")).toContain("may not be recorded");
    expect(await found("no_cookies")).toContain("accepted no cookies");
  });

  test("C5 a click from before terms were kept says so", async () => {
    const recorder = createClickRecorder({ db });
    const { clickNumber } = await recorder.record(clickAt(club.shop, club));
    await recorder.close();
    const receipt = (await findReceipt(db, { memberId: club.memberId, clickNumber }))!;
    expect(receipt.terms).toBeNull();
    expect(receiptText(receipt, { brandName: "Club" })).toContain("The text was not kept");
  });

  test("C5 the promised dates are sentences", () => {
    const tracking = {
      tracksWithinDays: { min: 1, max: 1 },
      confirmsWithinDays: { min: 35, max: 75 },
      confirmsAfter: "stay",
    } as const;
    const tier = { groupId: "1", label: "Everything", basis: "", capPence: null, boostedUntil: null };
    const rateOf = (rateBp: number) => ({ ...tier, kind: "percent" as const, rateBp, usualBp: rateBp });
    const datesAt = (rateBp: number) =>
      receiptDates({ offerTitle: null, memberShareBp: 0, rates: [rateOf(rateBp)], tracking });
    expect(datesAt(0)).toEqual(["No cashback was promised, so there is no date."]);
    expect(datesAt(300)).toEqual([
      "Shows in your account within 1 day.",
      "The retailer decides within 35 to 75 days after your stay.",
    ]);
  });

  test.each([
    ["7K3M-9QX2-4TVB", "7K3M-9QX2-4TVB"],
    ["7k3m9qx24tvb", "7K3M-9QX2-4TVB"],
    [" 7k3m 9qx2 4tvb ", "7K3M-9QX2-4TVB"],
    ["7K3M-9QX2-4TV", null],
    ["7K3M-9QX2-4TVU", null],
    ["' or 1=1 --", null],
    ["", null],
  ])("C5 %j is read as the number %j", (text, number) => expect(clickNumberOf(text)).toBe(number));
});
