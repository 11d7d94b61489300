import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { announceRateRises } from "../alerts/announce-rises.server.ts";
import { askForAlert } from "../alerts/operations.server.ts";
import { insertBoost, insertRateTier } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { editorialFile, editorialRetailer, importTexts, programme, recordsFile } from "./catalogue-files.testing.ts";
import { lockImports } from "./import-lock.server.ts";
import { memberRateBp, memberRatePence } from "./member-rate.ts";
import { changeMemberShare, findNetworkRecord, findShareEffect } from "./member-share.server.ts";
import { decimalShare, parseShare } from "./member-share.ts";
import { seedNetworks } from "./seed-networks.server.ts";

const { db } = await testDatabase();
await seedNetworks(db);
const NOW = new Date("2026-11-20T12:00:00Z");
const stored = async () => (await findNetworkRecord(db, { slug: "awin", now: NOW }))?.memberShareBp ?? 0;
/** Changes the share of Awin, by default from the one that is stored. */
const change = async (share: number, version?: number) =>
  changeMemberShare(db, { slug: "awin", share, version: version ?? (await stored()), now: NOW });
const tiers = async () => {
  const { rows } = await sql<{ at: string; bp: number | null; pence: number | null; commission: number }>`
    select p.network_programme_id || ' ' || t.network_group_id as at, t.member_rate_bp as bp, t.member_rate_pence as pence,
      coalesce(t.network_rate_bp, t.network_rate_pence) as commission
    from rate_tiers t join programmes p on p.id = t.programme_id order by 1`.execute(db);
  return rows;
};

describe("C5 the member's share as operators type it", () => {
  test.each([
    ["75", 7_500],
    [" 72.5 % ", 7_250],
    ["72.05%", 7_205],
    ["1", 100],
    ["100.00", 10_000],
  ])("C5 %j is %i basis points", (text, share) => expect(parseShare(text)).toBe(share));
  test.each(["", "0", "0.99", "100.01", "72.555", "-5", "75,5", "1e1", "all"])("C5 %j is no share", (text) =>
    expect(parseShare(text)).toBeNull(),
  );
  test("C5 a share that is shown is read as the same", () => {
    for (let share = 100; share <= 10_000; share++) expect(parseShare(decimalShare(share))).toBe(share);
  });
});

describe("C5 A2 the member's share of a network", () => {
  test("C5 A2 a change sets every rate of the network by the rule of imports, and an import afterwards changes nothing", async () => {
    const groups = [7, 100, 437, 438, 750, 1_000, 9_999].map((rateBp) => ({
      ...{ groupId: `p${rateBp}`, label: "Some", kind: "percent" as const, rateBp },
    }));
    const fixed = [1, 99, 2_599, 100_000].map((amountMinor) => ({
      ...{ groupId: `f${amountMinor}`, label: "Some", kind: "fixed" as const, amountMinor, currency: "GBP" },
    }));
    const programmes = recordsFile(programme(1, { commissionGroups: [...groups, ...fixed] }));
    const read = await importTexts(db, { programmes });
    expect(read.problems).toEqual([]);
    for (const share of [7_333, 100, 10_000, 5_001, 7_250]) {
      const before = await tiers();
      const effect = await findShareEffect(db, { slug: "awin", share });
      expect(await change(share)).toMatchObject({ outcome: "changed", rates: effect.rises + effect.falls });
      const after = await tiers();
      for (const { at, bp, pence, commission } of after)
        expect([bp, pence], `${at} at ${share}`).toEqual(
          at.includes(" p") ? [memberRateBp(commission, share), null] : [null, memberRatePence(commission, share)],
        );
      const rises = after.filter(
        ({ bp, pence }, at) => (bp ?? pence ?? 0) > (before[at]?.bp ?? before[at]?.pence ?? 0),
      );
      const gone = after.filter(
        ({ bp, pence }, at) => (bp ?? pence) === 0 && (before[at]?.bp ?? before[at]?.pence ?? 0) > 0,
      );
      expect(effect).toMatchObject({
        rises: rises.length,
        same: before.length - effect.rises - effect.falls,
        toNothing: gone.length,
      });
    }
    const again = await importTexts(db, { programmes });
    expect(again.files).toMatchObject([{ created: 0, updated: 0 }]);
  });

  test("C5 A2 caps, what a rate is of, boosts, other networks and rates without a known commission stay", async () => {
    const ofAwin = await importTexts(db, {
      programmes: recordsFile(programme(2)),
      editorial: editorialFile([
        editorialRetailer("2", { tiers: [{ groupId: "20", basis: "on everything", capPence: 5_000 }] }),
      ]),
    });
    const ofCj = await importTexts(db, { programmes: recordsFile(programme(9)) }, { network: "cj" });
    expect([ofAwin.problems, ofCj.problems]).toEqual([[], []]);
    const tier = await db
      .selectFrom("rate_tiers")
      .select(["id", "programme_id"])
      .where("network_group_id", "=", "20")
      .executeTakeFirstOrThrow();
    await insertBoost(db, { rateTierId: tier.id, bp: 900, startsAt: NOW, endsAt: new Date("2027-01-01T00:00:00Z") });
    await insertRateTier(db, { programmeId: tier.programme_id, label: "Ours", bp: 333 });
    const kept = async () => ({
      tiers: await db.selectFrom("rate_tiers").select(["id", "basis", "cap_pence", "label"]).orderBy("id").execute(),
      boosts: await db.selectFrom("boosts").selectAll().execute(),
    });
    const before = await kept();
    expect(await change(6_000)).toMatchObject({ outcome: "changed" });
    expect(await kept()).toEqual(before);
    const rateOf = async (name: string) => (await tiers()).find(({ at }) => at.startsWith(name))?.bp;
    expect([await rateOf("2 20"), await rateOf("2 group"), await rateOf("9 90")]).toEqual([450, 333, 560]);
    expect(await findNetworkRecord(db, { slug: "awin", now: NOW })).toMatchObject({
      ...{ memberShareBp: 6_000, programmes: 2, boosts: 1 },
    });
  });

  test("C5 D10 a share that rises raises a rate for whoever waits for it", async () => {
    const { id: brandId } = await insertBrand(db);
    await importTexts(db, { programmes: recordsFile(programme(3)) });
    await sql`insert into brand_retailers (brand_id, retailer_id)
      select ${brandId}, retailer_id from programmes where network_programme_id = '3'`.execute(db);
    const member = await insertSignedInMember(db, { brandId });
    await db.updateTable("members").set({ email_verified: true }).where("id", "=", member.id).execute();
    const { slug } = await db
      .selectFrom("retailers")
      .innerJoin("programmes", "programmes.retailer_id", "retailers.id")
      .select("retailers.slug")
      .where("network_programme_id", "=", "3")
      .executeTakeFirstOrThrow();
    expect(await askForAlert(db, { brandId, memberId: member.id, slug, now: NOW })).toBe("added");
    expect(await change(8_000)).toMatchObject({ outcome: "changed" });
    expect(await announceRateRises(db, { now: NOW })).toBe(1);
  });

  test("C5 A2 a change while an import runs is refused at once, and one that was overtaken says what is stored", async () => {
    await change(8_100);
    await change(8_000);
    await db.transaction().execute(async (trx) => {
      await lockImports(trx);
      expect(await change(5_000, 8_000)).toEqual({ outcome: "busy" });
    });
    expect(await change(5_000, 6_000)).toEqual({ outcome: "stale", stored: 8_000 });
    expect(await change(8_000, 8_000)).toEqual({ outcome: "unchanged" });
    expect(await changeMemberShare(db, { slug: "none", share: 5_000, version: 8_000, now: NOW })).toEqual({
      outcome: "unknown",
    });
    const [one, other] = await Promise.all([change(5_000, 8_000), change(5_500, 8_000)]);
    expect([one.outcome, other.outcome].toSorted()).toEqual(["changed", "stale"]);
  });
});
