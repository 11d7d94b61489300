import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { joinTransaction } from "../../audit/join-transaction.server.ts";
import {
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  recordsFile,
} from "../../catalogue-imports/catalogue-files.testing.ts";
import { seedNetworks } from "../../catalogue-imports/seed-networks.server.ts";
import { daysFromNow, NOW } from "../catalogue.testing.ts";
import { endBoost, releaseRate, setRateTerms, writeBoost, type RateAsked } from "./change-rates.server.ts";
import { findRates, type RatePart } from "./find-rates.server.ts";

// Imported, so that every change meets the files that own the same rows.

const { db } = await testDatabase({ max: 6 });
await seedNetworks(db);

let last = 100;
const boostInFile = (group: string) => ({
  ...{
    groupId: group,
    memberRateBp: 700,
    startsAt: daysFromNow(10).toISOString(),
    endsAt: daysFromNow(12).toISOString(),
  },
});

/** Imports a retailer whose network pays 8 % and whose members get 6.4 % at most £10; the file has one boost of 7 %. */
async function newShop() {
  const id = String(++last);
  const group = `${id}0`;
  const commissionGroups = [{ groupId: group, label: "Everything", kind: "percent" as const, rateBp: 800 }];
  const files = {
    programmes: recordsFile(programme(last, { commissionGroups })),
    editorial: editorialFile([
      editorialRetailer(id, {
        tiers: [{ groupId: group, basis: "on the price", capPence: 1000 }],
        boosts: [boostInFile(group)],
      }),
    ]),
  };
  expect((await importTexts(db, files)).problems).toEqual([]);
  const { id: retailerId, slug } = await db
    .selectFrom("retailers")
    .select(["id", "slug"])
    .where("slug", "=", `shop-${id}`)
    .executeTakeFirstOrThrow();
  const rate = async () => (await findRates(db, { retailerId }))[0]!.rates[0]!;
  const askedOf =
    (part: RatePart) =>
    async (changes: Partial<RateAsked> = {}): Promise<RateAsked> => {
      const { id: rateId, fingerprints } = await rate();
      return { retailer: slug, rateId, seen: fingerprints[part], now: NOW, ...changes };
    };
  const [asked, askedTerms, askedRelease] = [askedOf("boosts"), askedOf("terms"), askedOf("release")];
  return { slug, files, rate, asked, askedTerms, askedRelease, importAgain: () => importTexts(db, files) };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

const wanted = (rate: number, from: number | null, to: number) => ({
  ...{ boostId: null, mayLose: false },
  form: { rate, startsAt: from === null ? null : daysFromNow(from), endsAt: daysFromNow(to) },
});
const tierOf = async (shop: Shop) =>
  db
    .selectFrom("rate_tiers")
    .selectAll()
    .where("id", "=", (await shop.rate()).id)
    .executeTakeFirstOrThrow();
const boostsOf = async (shop: Shop) =>
  (await shop.rate()).boosts.map(({ memberRateBp, startsAt, endsAt }) => [memberRateBp, startsAt, endsAt]);

async function begin() {
  const trx = await db.startTransaction().execute();
  onTestFinished(async () => {
    if (!trx.isCommitted) await trx.rollback().execute();
  });
  return { joined: joinTransaction(trx), commit: () => trx.commit().execute() };
}

describe("A2 C5 operators set a rate's words, cap and boosts", () => {
  test("A2 what is set is kept by name and survives the import of both files; given back, the file's return", async () => {
    const shop = await newShop();
    const first = await shop.rate();
    expect(first).toMatchObject({ memberRateBp: 640, networkRateBp: 800, capPence: 1000, kept: [] });
    expect(await setRateTerms(db, await shop.askedTerms(), { basis: "on the price", cap: 2500 })).toEqual({
      outcome: "changed",
    });
    expect(await shop.rate()).toMatchObject({ capPence: 2500, kept: ["cap_pence"] });
    expect(await setRateTerms(db, await shop.askedTerms(), { basis: "on all of it", cap: 2500 })).toEqual({
      outcome: "changed",
    });
    expect(await writeBoost(db, await shop.asked(), wanted(750, null, 2))).toEqual({ outcome: "changed" });
    const ours = await shop.rate();
    expect(ours).toMatchObject({ basis: "on all of it", kept: ["basis", "boosts", "cap_pence"] });
    expect(await boostsOf(shop)).toEqual([
      [750, NOW, daysFromNow(2)],
      [700, daysFromNow(10), daysFromNow(12)],
    ]);
    await shop.importAgain();
    expect(await shop.rate()).toEqual(ours);
    const asked = await shop.askedRelease();
    expect(await releaseRate(db, asked)).toEqual({ outcome: "changed" });
    expect(await releaseRate(db, await shop.askedRelease())).toEqual({ outcome: "unchanged" });
    expect(await shop.rate(), "what holds stays until an import writes it").toMatchObject({
      ...{ basis: "on all of it", capPence: 2500, kept: [], released: ["basis", "boosts", "cap_pence"] },
    });
    await shop.importAgain();
    expect(await shop.rate()).toEqual(first);
  });

  test("A2 what is given back becomes the default where the file says nothing of it, and is kept where it is set again", async () => {
    const shop = await newShop();
    const usual = "on the price without VAT and delivery";
    const silent = editorialFile([editorialRetailer(shop.slug.replace("shop-", ""))]);
    await setRateTerms(db, await shop.askedTerms(), { basis: "on all of it", cap: 2500 });
    await writeBoost(db, await shop.asked(), wanted(750, null, 2));
    await releaseRate(db, await shop.askedRelease());
    await setRateTerms(db, await shop.askedTerms(), { basis: "on all of it", cap: 3000 });
    expect(await shop.rate()).toMatchObject({ kept: ["cap_pence"], released: ["basis", "boosts"] });
    expect((await importTexts(db, { editorial: silent })).problems).toEqual([]);
    expect(await shop.rate()).toMatchObject({
      ...{ basis: usual, capPence: 3000, kept: ["cap_pence"], released: [], boosts: [] },
    });
    await releaseRate(db, await shop.askedRelease());
    await importTexts(db, { programmes: shop.files.programmes });
    expect(await shop.rate(), "no editorial file came").toMatchObject({ capPence: 3000, released: ["cap_pence"] });
    await importTexts(db, { editorial: silent });
    expect(await shop.rate()).toMatchObject({ basis: usual, capPence: null, kept: [], released: [] });
    const { updated_at: once } = await tierOf(shop);
    await importTexts(db, { editorial: silent });
    expect((await tierOf(shop)).updated_at, "nothing is left to write").toEqual(once);
  });

  test("A2 a save of the same values, and one of another retailer's rate, change nothing", async () => {
    const [shop, other] = [await newShop(), await newShop()];
    const { boosts } = await shop.rate();
    const same = { boostId: boosts[0]!.id, mayLose: false };
    const form = { rate: 700, startsAt: daysFromNow(10), endsAt: daysFromNow(12) };
    expect(await setRateTerms(db, await shop.askedTerms(), { basis: "on the price", cap: 1000 })).toEqual({
      outcome: "unchanged",
    });
    expect(await writeBoost(db, await shop.asked(), { ...same, form })).toEqual({ outcome: "unchanged" });
    for (const wrong of [{ retailer: other.slug }, { rateId: newId() }, { rateId: "x" }])
      expect(await setRateTerms(db, await shop.askedTerms(wrong), { basis: "x", cap: null })).toEqual({
        outcome: "unknown",
      });
    expect(await shop.rate()).toMatchObject({ kept: [] });
  });

  test("C5 a boost above the network's commission is written only with a yes, and one that breaks a rule never", async () => {
    const shop = await newShop();
    const asked = await shop.asked();
    expect(await writeBoost(db, asked, wanted(801, null, 2))).toMatchObject({
      outcome: "loses",
      value: 801,
      lossPence: 1,
    });
    const clash = { ...wanted(801, 11, 13), mayLose: true };
    expect(await writeBoost(db, asked, clash)).toMatchObject({
      ...{ outcome: "refused", faults: { startsAt: expect.stringContaining("would overlap the boost of 7%") } },
    });
    expect(await shop.rate()).toMatchObject({ kept: [] });
    expect(await writeBoost(db, asked, { ...wanted(801, null, 2), mayLose: true })).toEqual({ outcome: "changed" });
  });

  test("A2 a boost that runs changes its rate and end, not its start; it ends at once; one to come is removed", async () => {
    const shop = await newShop();
    await writeBoost(db, await shop.asked(), wanted(750, null, 2));
    const [running, toCome] = (await shop.rate()).boosts;
    const later = daysFromNow(1);
    const form = { rate: 800, startsAt: daysFromNow(-5), endsAt: daysFromNow(3) };
    const change = { boostId: running!.id, form, mayLose: false };
    expect(await writeBoost(db, await shop.asked({ now: later }), change)).toEqual({ outcome: "changed" });
    expect((await boostsOf(shop))[0]).toEqual([800, NOW, daysFromNow(3)]);
    expect(await endBoost(db, await shop.asked({ now: later }), { boostId: running!.id })).toEqual({
      outcome: "ended",
    });
    expect(await endBoost(db, await shop.asked({ now: later }), { boostId: toCome!.id })).toEqual({
      outcome: "removed",
    });
    expect(await boostsOf(shop)).toEqual([[800, NOW, later]]);
    for (const boostId of [running!.id, toCome!.id]) {
      const gone = { outcome: "refused", faults: { form: expect.stringContaining("has ended or is gone") } };
      expect(await endBoost(db, await shop.asked({ now: later }), { boostId })).toEqual(gone);
      expect(await writeBoost(db, await shop.asked({ now: later }), { ...change, boostId })).toEqual(gone);
    }
  });

  test("A2 one that starts at this very moment is removed instead of ended", async () => {
    const shop = await newShop();
    await writeBoost(db, await shop.asked(), wanted(750, null, 2));
    const { boosts } = await shop.rate();
    expect(await endBoost(db, await shop.asked(), { boostId: boosts[0]!.id })).toEqual({ outcome: "removed" });
    expect(await boostsOf(shop)).toHaveLength(1);
  });
});

describe("A2 changes of a rate at once", () => {
  test("A2 what somebody sets while the question is open is not given back; a commission that changes does not matter", async () => {
    const shop = await newShop();
    await setRateTerms(db, await shop.askedTerms(), { basis: "on all of it", cap: 2500 });
    const before = await shop.askedRelease();
    await writeBoost(db, await shop.asked(), wanted(750, null, 2));
    expect(await releaseRate(db, before)).toMatchObject({ outcome: "stale" });
    expect(await shop.rate()).toMatchObject({ kept: ["basis", "boosts", "cap_pence"], released: [] });
    const now = await shop.askedRelease();
    await db.updateTable("rate_tiers").set({ network_rate_bp: 900 }).where("id", "=", now.rateId).execute();
    expect(await releaseRate(db, now)).toEqual({ outcome: "changed" });
  });

  test("A2 words and boosts are changed beside each other; a usual rate that an import has changed is told", async () => {
    const shop = await newShop();
    const [boosts, terms] = [await shop.asked(), await shop.askedTerms()];
    expect(await writeBoost(db, boosts, wanted(750, null, 2))).toEqual({ outcome: "changed" });
    expect(await setRateTerms(db, terms, { basis: "on it", cap: null })).toEqual({ outcome: "changed" });
    expect(await setRateTerms(db, terms, { basis: "on all", cap: null })).toMatchObject({
      ...{ outcome: "stale", rate: { basis: "on it", kept: ["basis", "boosts", "cap_pence"] } },
    });
    const before = await shop.asked();
    await db.updateTable("rate_tiers").set({ member_rate_bp: 700 }).where("id", "=", before.rateId).execute();
    const { boosts: known } = await shop.rate();
    expect(await endBoost(db, before, { boostId: known[0]!.id })).toMatchObject({
      outcome: "stale",
      rate: { memberRateBp: 700 },
    });
  });

  test("A2 two operators who add the same boost at once make one; the second is told what is stored", async () => {
    const shop = await newShop();
    const asked = await shop.asked();
    const first = await begin();
    expect(await writeBoost(first.joined, asked, wanted(750, 1, 2))).toEqual({ outcome: "changed" });
    const second = writeBoost(db, asked, wanted(750, 1, 2));
    second.catch(() => {}); // reported below
    await Promise.race([second, untilWaiting(db)]);
    await first.commit();
    expect(await second).toMatchObject({
      ...{ outcome: "stale", rate: { boosts: [{ memberRateBp: 750 }, { memberRateBp: 700 }] } },
    });
    expect(await boostsOf(shop)).toHaveLength(2);
  });

  test("A2 while an import holds a rate, changes of it are told so at once; those of another one go on", async () => {
    const [shop, other] = [await newShop(), await newShop()];
    await setRateTerms(db, await shop.askedTerms(), { basis: "on all of it", cap: null });
    const running = await begin();
    await importTexts(running.joined, shop.files);
    const [boosts, terms, release] = [await shop.asked(), await shop.askedTerms(), await shop.askedRelease()];
    const [known] = (await shop.rate()).boosts;
    expect([
      await writeBoost(db, boosts, wanted(750, 1, 2)),
      await setRateTerms(db, terms, { basis: "on it", cap: null }),
      await endBoost(db, boosts, { boostId: known!.id }),
      await releaseRate(db, release),
    ]).toEqual(Array(4).fill({ outcome: "busy" }));
    expect(await writeBoost(db, await other.asked(), wanted(750, 1, 2))).toEqual({ outcome: "changed" });
    await running.commit();
    expect(await writeBoost(db, boosts, wanted(750, 1, 2))).toEqual({ outcome: "changed" });
    await shop.importAgain();
    expect(await boostsOf(shop)).toHaveLength(2);
  });

  test("A2 an import that runs while a boost is ended waits, and leaves its end as the operator set it", async () => {
    const shop = await newShop();
    const { boosts } = await shop.rate();
    const now = daysFromNow(11);
    const asked = await shop.asked({ now });
    const ending = await begin();
    expect(await endBoost(ending.joined, asked, { boostId: boosts[0]!.id })).toEqual({ outcome: "ended" });
    const later = shop.files.editorial.replaceAll(daysFromNow(12).toISOString(), daysFromNow(15).toISOString());
    const importing = importTexts(db, { editorial: later });
    importing.catch(() => {}); // reported below
    await Promise.race([importing, untilWaiting(db)]);
    await ending.commit();
    expect((await importing).problems).toEqual([]);
    expect(await boostsOf(shop)).toEqual([[700, daysFromNow(10), now]]);
  });
});
