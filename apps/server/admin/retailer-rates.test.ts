import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { announceRateRises } from "@farthing/core/alerts/announce-rises.server.ts";
import { askForAlert } from "@farthing/core/alerts/operations.server.ts";
import {
  daysFromNow,
  insertBoost,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { findRates } from "@farthing/core/catalogue/rate-tiers/find-rates.server.ts";
import { findMerge } from "@farthing/core/catalogue/retailers/find-merge.server.ts";
import { mergeRetailers } from "@farthing/core/catalogue/retailers/merge-retailers.server.ts";
import { findRetailerPage } from "@farthing/core/catalogue/retailers/queries.server.ts";
import { lockImports } from "@farthing/core/catalogue-imports/import-lock.server.ts";
import { findRetailerTarget } from "@farthing/core/clicks/queries.server.ts";
import { takeRateSnapshot } from "@farthing/core/clicks/rate-snapshot.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
const brand = await insertBrand(db);
const network = await insertNetwork(db);

/** A retailer whose network pays 8 % and whose members get 6 %. */
async function newShop({ label = "New customers" } = {}) {
  const retailer = await insertRetailer(db, { brandIds: [brand.id] });
  const programme = await insertProgramme(db, { networkId: network.id, retailerId: retailer.id });
  const tier = await insertRateTier(db, { programmeId: programme.id, bp: 600, label });
  await db.updateTable("rate_tiers").set({ network_rate_bp: 800 }).where("id", "=", tier.id).execute();
  const rate = async () => (await findRates(db, { retailerId: retailer.id }))[0]!.rates[0]!;
  const path = `/admin/retailers/${retailer.slug}/rates`;
  const here = `${path}?rate=${tier.id}`;
  const post = async (form: Record<string, string>, at = here) =>
    await admin.post(at, editor, {
      version: (await rate()).fingerprints[partOf(form["act"])],
      ...form,
    });
  const page = async (at = here) => textOf(await admin.get(at, editor));
  return { ...retailer, tierId: tier.id, rate, path, here, post, page };
}
const partOf = (act: string | undefined) => (act === "terms" || act === "release" ? act : "boosts");
const textOf = async (response: Response) => (await response.text()).replaceAll("<!-- -->", "");
const boostForm = (rate: string, to: number, from: number | null = null) => ({
  ...{
    act: "boost",
    rate,
    startsAt: from === null ? "" : toLondon(daysFromNow(from)),
    endsAt: toLondon(daysFromNow(to)),
  },
});
const yes = { confirmed: "yes", why: "the weekend" };
const entriesOf = async (id: string) =>
  await db.selectFrom("audit_entries").selectAll().where("subject_id", "=", id).orderBy("seq").execute();

describe("A2 C5 O7 a retailer's rates in the admin", () => {
  test("A2 C5 an operator boosts a rate: members' pages, clicks and alerts follow, and the log has it in words", async () => {
    const shop = await newShop();
    const member = await insertSignedInMember(db, { brandId: brand.id });
    await db.updateTable("members").set({ email_verified: true }).where("id", "=", member.id).execute();
    await askForAlert(db, { brandId: brand.id, memberId: member.id, slug: shop.slug, now: NOW });
    const promised = async () => {
      const found = await findRetailerTarget(db, { brandId: brand.id, slug: shop.slug });
      return found.outcome === "found" ? takeRateSnapshot(found.target, NOW).rates : null;
    };
    const atClick = await promised();

    const saved = await shop.post(boostForm("7.5%", 2));
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${shop.here}&done=boost`]);
    const view = await findRetailerPage(db, { brandId: brand.id, now: NOW, slug: shop.slug });
    expect(view!.rates).toMatchObject([{ rateBp: 750, usualBp: 600, boostedUntil: daysFromNow(2) }]);
    expect(await promised()).toMatchObject([{ rateBp: 750, boostedUntil: daysFromNow(2).toISOString() }]);
    expect(atClick).toMatchObject([{ rateBp: 600, boostedUntil: null }]);
    expect(await announceRateRises(db, { now: NOW })).toBe(1);
    expect(await entriesOf(shop.tierId)).toMatchObject([
      {
        ...{ action: "rate-tier.add-boost", actor: editor.email },
        before: { boosts: [], kept: [] },
        after: {
          boosts: ["7.5% from 20 Nov 2026, 12:00 to 22 Nov 2026, 12:00"],
          kept: ["boosts"],
          retailer: shop.slug,
        },
      },
    ]);
    const html = await shop.page(`${shop.here}&done=boost`);
    expect(html).toContain("The boost is saved.");
    expect(html).toMatch(/<strong>7.5%<\/strong> until <time[^>]*>22 Nov 2026, 12:00/);
    expect(html).toContain("£100.00 basket: £83.33 without VAT → £6.24");
    expect(html).toContain("so that imports leave it: the boosts.");
    const history = textOf(await admin.get(`/admin/retailers/${shop.slug}/history`, editor));
    expect(await history).toMatch(/Rate: boost added<\/strong> \(New customers\) by/);
  });

  test("C5 O7 basis and cap are typed as they are read, and wrong ones named", async () => {
    const shop = await newShop();
    const terms = { act: "terms", basis: "on the price without VAT", cap: "£12.50" };
    expect((await shop.post(terms)).status).toBe(303);
    expect(await shop.rate()).toMatchObject({ basis: "on the price without VAT", capPence: 1250 });
    expect(await shop.page()).toContain("at most £12.50 a purchase");
    const again = await shop.post(terms);
    expect([again.status, await textOf(again)]).toEqual([409, expect.stringContaining("has these values already")]);
    for (const [wrong, words] of [
      [{ basis: " " }, "Basis must not be empty."],
      [{ basis: "on the price: the highest cashback rates" }, "without evidence"],
      [{ cap: "0" }, "Cap, in pounds must be an amount in pounds, such as 50 or 12.50"],
      [{ cap: "1.234" }, "Cap, in pounds must be an amount in pounds"],
    ] as const) {
      const refused = await shop.post({ ...terms, ...wrong });
      expect([refused.status, await textOf(refused)]).toEqual([422, expect.stringContaining(words)]);
    }
    expect((await shop.post({ ...terms, cap: " " })).status).toBe(303);
    expect(await shop.rate()).toMatchObject({ capPence: null, kept: ["basis", "cap_pence"] });
  });

  test("C5 a boost that breaks a rule is refused in a sentence, with what was typed", async () => {
    const shop = await newShop();
    await insertBoost(db, { rateTierId: shop.tierId, bp: 700, startsAt: daysFromNow(10), endsAt: daysFromNow(12) });
    for (const [form, words] of [
      [
        boostForm("6", 2),
        "Rate of the boost must be above the usual rate of 6%: at or below it a boost has no effect.",
      ],
      [boostForm("lots", 2), "Rate of the boost must be a percentage such as 12 or 7.5"],
      [boostForm("7", -1), "End must be in the future."],
      [boostForm("7", 2, -1), "Start has passed. Leave it empty to start at once."],
      [boostForm("7", 11), "Start would overlap the boost of 7% from 30 Nov 2026, 12:00 to 2 Dec 2026, 12:00."],
      [{ ...boostForm("7", 2), endsAt: "tomorrow" }, "End must be a date and time of London"],
    ] as const) {
      const refused = await shop.post(form);
      const html = await textOf(refused);
      expect([refused.status, html]).toEqual([422, expect.stringContaining(words)]);
      expect(html).toContain(`value="${form.rate}"`);
    }
    expect((await shop.rate()).boosts).toHaveLength(1);
  });

  test("C5 above the network's commission the loss is named and needs a reason", async () => {
    const shop = await newShop();
    const asked = await shop.post(boostForm("12", 2));
    const html = await textOf(asked);
    expect(asked.status).toBe(200);
    expect(html).toContain(
      "The network pays 8%, and members would get 12%: the club loses £4.00 of its own money on every £100 that counts.",
    );
    expect([fieldIn(html, "act"), fieldIn(html, "rate")]).toEqual(["boost", "12"]);
    const without = await shop.post({ ...boostForm("12", 2), confirmed: "yes", why: " " });
    expect([without.status, await textOf(without)]).toEqual([422, expect.stringContaining("Say why")]);
    expect((await shop.rate()).boosts).toEqual([]);
    expect((await shop.post({ ...boostForm("12", 2), ...yes })).status).toBe(303);
    expect(await entriesOf(shop.tierId)).toMatchObject([{ action: "rate-tier.add-boost", why: "the weekend" }]);
    expect(await shop.page()).toContain("costs the club £4.00 per £100");
  });

  test("A2 a boost is changed, ended at once and removed, each after its question", async () => {
    const shop = await newShop();
    for (const [bp, from, to] of [
      [700, -2, 2],
      [750, 10, 12],
    ] as const)
      await insertBoost(db, { rateTierId: shop.tierId, bp, startsAt: daysFromNow(from), endsAt: daysFromNow(to) });
    const [running, toCome] = (await shop.rate()).boosts;
    const form = await shop.page(`${shop.here}&boost=${running!.id}`);
    expect(form).toContain("Change the boost");
    expect(form).not.toContain('name="startsAt"');
    const changed = await shop.post(
      { ...boostForm("7.25", 3), boost: running!.id },
      `${shop.here}&boost=${running!.id}`,
    );
    expect(changed.status).toBe(303);
    expect((await shop.rate()).boosts[0]).toMatchObject({ memberRateBp: 725, startsAt: daysFromNow(-2) });
    for (const [act, boost, words] of [
      ["end", running!.id, "The boost of 7.25% from 18 Nov 2026, 12:00 to 23 Nov 2026, 12:00 ends at once"],
      ["remove", toCome!.id, "The boost of 7.5% from 30 Nov 2026, 12:00 to 2 Dec 2026, 12:00 never begins."],
    ] as const) {
      const asked = await shop.post({ act, boost });
      expect([asked.status, await textOf(asked)]).toEqual([200, expect.stringContaining(words)]);
      expect((await shop.post({ act, boost, ...yes })).status).toBe(303);
      expect((await shop.post({ act, boost, ...yes })).status).toBeGreaterThanOrEqual(409);
    }
    expect((await shop.rate()).boosts).toMatchObject([{ memberRateBp: 725, endsAt: NOW }]);
    expect((await entriesOf(shop.tierId)).map(({ action }) => action)).toEqual([
      ...["rate-tier.change-boost", "rate-tier.end-boost", "rate-tier.remove-boost"],
    ]);
    expect(await shop.page()).toContain("over");
  });

  test("A2 a boost that began while its removal was asked about is ended, and the log and the page say so", async () => {
    const shop = await newShop();
    await insertBoost(db, { rateTierId: shop.tierId, bp: 700, startsAt: daysFromNow(-1), endsAt: daysFromNow(2) });
    const [boost] = (await shop.rate()).boosts;
    const answer = await shop.post({ act: "remove", boost: boost!.id, ...yes });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${shop.here}&done=end`]);
    expect(await entriesOf(shop.tierId)).toMatchObject([{ action: "rate-tier.end-boost" }]);
    expect((await shop.rate()).boosts).toMatchObject([{ endsAt: NOW }]);
  });

  test("A2 while an import writes rates nothing is saved, and what was typed stays", async () => {
    const shop = await newShop();
    await insertBoost(db, { rateTierId: shop.tierId, bp: 700, startsAt: daysFromNow(-1), endsAt: daysFromNow(2) });
    await shop.post({ act: "terms", basis: "on it", cap: "" });
    const [boost] = (await shop.rate()).boosts;
    await db.transaction().execute(async (trx) => {
      await lockImports(trx);
      await trx.selectFrom("rate_tiers").select("id").where("id", "=", shop.tierId).forNoKeyUpdate().execute();
      for (const form of [
        { act: "terms", basis: "on all of it", cap: "12" },
        boostForm("7.25", 8, 5),
        { ...boostForm("12.5", 8, 5), ...yes },
        { act: "end", boost: boost!.id, ...yes },
        { act: "release", ...yes },
      ]) {
        const busy = await shop.post(form);
        const html = await textOf(busy);
        expect([busy.status, html]).toEqual([409, expect.stringContaining("An import is running, and writes rates.")]);
        const { act: _act, confirmed: _yes, ...kept } = form as Record<string, string>;
        for (const text of Object.values(kept)) expect(html).toContain(text);
        expect(html.includes('name="confirmed"'), form.act).toBe("confirmed" in form);
      }
    });
    expect(await shop.rate()).toMatchObject({ basis: "on it", kept: ["basis"], boosts: [{ id: boost!.id }] });
  });

  test("A2 a form that comes too late says what is stored, and keeps both; a question that comes too late does nothing", async () => {
    const shop = await newShop();
    const { boosts: seen, terms: seenTerms } = (await shop.rate()).fingerprints;
    await shop.post(boostForm("7", 2, 1));
    const late = await shop.post({ ...boostForm("7.5", 2, 1), version: seen });
    const html = await textOf(late);
    expect(late.status).toBe(409);
    expect(html).toContain(editor.email);
    expect(html).toContain("of 7% from 21 Nov 2026, 12:00 to 22 Nov 2026, 12:00");
    expect(html).toContain('<input type="hidden" name="rate" value="7.5"/>');
    const [boost] = (await shop.rate()).boosts;
    await shop.post({ act: "terms", basis: "theirs", cap: "", version: seenTerms });
    const terms = await shop.post({ act: "terms", basis: "on it", cap: "", version: seenTerms });
    expect([terms.status, await textOf(terms)]).toEqual([
      409,
      expect.stringContaining("<td>theirs</td><td>on it</td>"),
    ]);
    const removed = await shop.post({ act: "remove", boost: boost!.id, version: seen, ...yes });
    expect([removed.status, await textOf(removed)]).toEqual([409, expect.stringContaining("or an import did")]);
    expect((await shop.rate()).boosts).toHaveLength(1);
  });

  test("A2 a form that an import has overtaken, or somebody's save of another kind, names nobody", async () => {
    const shop = await newShop();
    const { boosts, terms } = (await shop.rate()).fingerprints;
    await shop.post({ act: "terms", basis: "theirs", cap: "" });
    await db.updateTable("rate_tiers").set({ member_rate_bp: 650 }).where("id", "=", shop.tierId).execute();
    const late = async (form: Record<string, string>) =>
      (await textOf(await shop.post(form))).replace(/<header class="bar">.*?<\/header>/s, "");
    const ofBoosts = await late({ ...boostForm("7.5", 2, 1), version: boosts });
    expect(ofBoosts).toContain("An import or somebody changed it.");
    expect(ofBoosts).not.toContain(editor.email);
    const mine = { act: "terms", basis: "on it", cap: "", version: terms };
    expect(await late(mine)).toContain(`${editor.email} changed it`);
    const imported = { basis: "the file's", updated_at: daysFromNow(1) };
    await db.updateTable("rate_tiers").set(imported).where("id", "=", shop.tierId).execute();
    expect(await late(mine)).toContain("An import or somebody changed it.");
  });

  test("A2 a rate is given back to imports after a question; one that the network has taken away is said to be gone", async () => {
    const shop = await newShop();
    await shop.post({ act: "terms", basis: "on it", cap: "" });
    const { release: version } = (await shop.rate()).fingerprints;
    expect(await shop.page()).toContain(`value="${version}"`);
    const asked = await shop.post({ act: "release" });
    await shop.post(boostForm("7", 2, 1));
    const late = await shop.post({ act: "release", version, ...yes });
    expect([late.status, await textOf(late)]).toEqual([409, expect.stringContaining("somebody changed this rate")]);
    expect((await shop.rate()).kept).toEqual(["basis", "boosts"]);
    expect([asked.status, await textOf(asked)]).toEqual([200, expect.stringContaining("also one that runs")]);
    expect((await shop.post({ act: "release", ...yes })).status).toBe(303);
    expect((await shop.rate()).kept).toEqual([]);
    expect(await shop.page(`${shop.here}&done=release`)).toMatch(
      /Given back: the next editorial import that describes the retailer writes the basis, the boosts\./,
    );
    expect((await shop.post({ act: "release", ...yes })).status).toBe(409);
    await db.deleteFrom("rate_tiers").where("id", "=", shop.tierId).execute();
    const gone = await admin.post(shop.here, editor, boostForm("7", 2));
    const html = await textOf(gone);
    expect([gone.status, html]).toEqual([409, expect.stringContaining("the network has taken this rate away")]);
    expect(html).toContain("<dt>Rate of the boost</dt><dd>7</dd>");
    expect((await admin.get("/admin/retailers/nowhere/rates", editor)).status).toBe(404);
    expect((await admin.post("/admin/retailers/nowhere/rates", editor, {})).status).toBe(404);
  });

  test("A2 a rate of a programme that has left, or of a retailer that was merged, is said to be so, with what was typed", async () => {
    const [left, merged, into] = [await newShop(), await newShop(), await newShop()];
    await db.updateTable("programmes").set({ status: "closed" }).where("retailer_id", "=", left.id).execute();
    const preview = await findMerge(db, { slug: merged.slug, into: into.slug });
    const merge = { slug: merged.slug, into: into.slug, seen: preview?.seen ?? "", now: NOW };
    expect(await mergeRetailers(db, merge)).toMatchObject({ outcome: "merged" });
    for (const [shop, words] of [
      [left, "or the programme is no longer joined"],
      [merged, `This retailer was merged into ${into.name} meanwhile`],
    ] as const) {
      const answer = await admin.post(shop.here, editor, { act: "terms", basis: "on all of it", cap: "12" });
      const html = await textOf(answer);
      expect([answer.status, html]).toEqual([409, expect.stringContaining(words)]);
      expect(html).toContain("<dt>Basis</dt><dd>on all of it</dd>");
    }
  });

  test("A1 support reads rates and changes none", async () => {
    const shop = await newShop();
    await insertBoost(db, { rateTierId: shop.tierId, bp: 700, startsAt: daysFromNow(-1), endsAt: daysFromNow(2) });
    const support = await insertOperator(db, { role: "support" });
    const html = await textOf(await admin.get(shop.here, support));
    expect(html).toContain("New customers");
    expect(html).not.toContain("The network pays");
    expect(html).not.toMatch(/<button[^>]*name="act"/);
    expect((await admin.post(shop.here, support, boostForm("7", 2))).status).toBe(403);
    await db.updateTable("rate_tiers").set({ network_rate_bp: 4321 }).where("id", "=", shop.tierId).execute();
    const { boosts } = (await shop.rate()).fingerprints;
    for (const address of [shop.here, shop.here.replace("/rates?", "/rates.data?")]) {
      expect(await textOf(await admin.get(address, editor)), address).toMatch(/4321|43\.21%/);
      const shown = await textOf(await admin.get(address, support));
      expect(shown, address).toContain("New customers");
      expect(shown, address).not.toMatch(/4321|43\.21%/);
      expect(shown, address).not.toContain(boosts);
    }
  });
});
