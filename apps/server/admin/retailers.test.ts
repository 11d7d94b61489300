import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import {
  insertCategory,
  insertOffer,
  insertBoost,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { findClosing } from "@farthing/core/catalogue/retailers/find-closing.server.ts";
import { findRetailerPage } from "@farthing/core/catalogue/retailers/queries.server.ts";
import { findRetailerRecord, formOf } from "@farthing/core/catalogue/retailers/find-retailer-record.server.ts";
import {
  retailerList,
  type ListedRetailer,
  type RetailerFilters,
  type RetailerSort,
} from "@farthing/core/catalogue/retailers/list-retailers.server.ts";
import { typedOfRetailer } from "@farthing/core/catalogue/retailers/retailer-schema.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
const [brand, other] = [await insertBrand(db), await insertBrand(db)];
const network = await insertNetwork(db, { slug: "awin" });
const [shoes, books] = [await insertCategory(db, "Shoes"), await insertCategory(db, "Books")];

const recordOf = async (slug: string) => (await findRetailerRecord(db, { slug }))!;
async function formFor(slug: string, different: Record<string, string> = {}) {
  const record = await recordOf(slug);
  return { version: record.fingerprint, ...typedOfRetailer(formOf(record)), ...different };
}
const entriesOf = (slug: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", slug).orderBy("seq").execute();
const listed = async (filters: RetailerFilters, sort = "name") =>
  (
    await findListPage<ListedRetailer, RetailerSort>(
      db,
      retailerList(filters, NOW),
      readListState(new URLSearchParams({ sort }), { sorts: ["name", "changed", "tracking"], defaultSort: "name" }),
    )
  ).rows;

describe("A2 retailers in the admin", () => {
  test("A2 each field is saved with an entry in the log; the site, the search and other brands follow", async () => {
    const retailer = await insertRetailer(db, {
      name: "Old Name",
      brandIds: [brand.id],
      categoryIds: [shoes.id, books.id],
    });
    const offer = await insertOffer(db, { networkId: network.id, retailerId: retailer.id, title: "A deal" });
    const form = await formFor(retailer.slug, {
      ...{
        name: "New Name",
        shortInfo: "Short",
        longInfo: "Long",
        terms: "Terms",
        homepageUrl: "https://new.example/",
      },
      ...{
        tracksMin: "2",
        tracksMax: "5",
        confirmsMin: "30",
        confirmsMax: "60",
        confirmsAfter: "travel",
        popularity: "9",
      },
      ...{ adultsOnly: "yes", mainCategory: books.slug, [`brand-${other.slug}`]: "yes" },
    });
    delete (form as Record<string, string>)[`brand-${brand.slug}`];
    delete (form as Record<string, string>)["acceptsClaims"];
    const saved = await admin.post(`/admin/retailers/${retailer.slug}`, editor, form);
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `/admin/retailers/${retailer.slug}?saved`]);
    expect(await recordOf(retailer.slug)).toMatchObject({
      ...{
        name: "New Name",
        shortInfo: "Short",
        longInfo: "Long",
        terms: "Terms",
        homepageUrl: "https://new.example/",
      },
      ...{ tracksMin: 2, tracksMax: 5, confirmsMin: 30, confirmsMax: 60, confirmsAfter: "travel", popularity: 9 },
      ...{
        adultsOnly: true,
        acceptsClaims: false,
        mainCategory: "books",
        categories: ["books", "shoes"],
        brands: [other.slug],
      },
    });
    expect(await entriesOf(retailer.slug)).toMatchObject([
      {
        action: "retailer.change",
        before: { name: "Old Name", main_category: "shoes", brands: [brand.slug] },
        after: { name: "New Name", main_category: "books", brands: [other.slug] },
      },
    ]);
    const shown = (brandId: string) => findRetailerPage(db, { brandId, now: NOW, slug: retailer.slug });
    expect(await shown(brand.id)).toBeNull();
    expect(await shown(other.id)).toMatchObject({ name: "New Name", tracking: { acceptsClaims: false } });
    const found = await sql<{ brands: string[] }>`select brand_ids as brands from search_offers
      where offer_id = ${offer.id} and document @@ to_tsquery('farthing', 'new')`.execute(db);
    expect(found.rows).toEqual([{ brands: [other.id] }]);
  });

  test("A2 a paused retailer's offers leave the search at once", async () => {
    const retailer = await insertRetailer(db, { name: "To pause", brandIds: [brand.id] });
    await insertOffer(db, { networkId: network.id, retailerId: retailer.id });
    const inSearch = async () =>
      (await db.selectFrom("search_offers").select("offer_id").where("retailer_id", "=", retailer.id).execute()).length;
    await admin.post(`/admin/retailers/${retailer.slug}`, editor, await formFor(retailer.slug, { popularity: "1" }));
    expect(await inSearch()).toBe(1);
    const pause = await formFor(retailer.slug, { status: "paused", confirmed: "yes", why: "its own wish" });
    await admin.post(`/admin/retailers/${retailer.slug}`, editor, pause);
    expect(await inSearch()).toBe(0);
  });

  describe("A2 a worse state", () => {
    const ask = async (slug: string, changes: Record<string, string>) => {
      const response = await admin.post(`/admin/retailers/${slug}`, editor, await formFor(slug, changes));
      return { status: response.status, html: await response.text() };
    };
    const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll("&#x27;", "'");

    test("A2 is asked about first, with what stops and a reason for the log; nothing typed is lost, and it works without script", async () => {
      const retailer = await insertRetailer(db, { name: "Sinking", brandIds: [brand.id] });
      await insertOffer(db, { networkId: network.id, retailerId: retailer.id });
      const path = `/admin/retailers/${retailer.slug}`;
      const typed = { status: "in_administration", shortInfo: "Not\nso well", adultsOnly: "yes" };
      const asked = await ask(retailer.slug, typed);
      expect(asked.status).toBe(200);
      const words = textOf(asked.html);
      for (const part of [
        "Mark Sinking as in administration?",
        "1 published offer loses its button",
        "No member waits for cashback there.",
        "Its pools have no code left to give out.",
        "It has no gift card on sale.",
      ])
        expect(words).toContain(part);
      const statusOf = async () => (await recordOf(retailer.slug)).status;
      expect(await statusOf()).toBe("active");
      expect(await entriesOf(retailer.slug)).toEqual([]);
      const question = asked.html.slice(asked.html.indexOf('class="confirm"'), asked.html.indexOf("Cancel"));
      const kept = Object.fromEntries(
        [...question.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = "", value = ""]) => [name, value],
        ),
      );
      expect(kept).toMatchObject({ ...typed, confirmed: "yes", [`brand-${brand.slug}`]: "yes" });
      const without = await admin.post(path, editor, kept);
      expect([without.status, await statusOf()]).toEqual([422, "active"]);
      expect(await without.text()).toContain("Mark Sinking as in administration?");
      expect((await admin.post(path, editor, { ...kept, why: "in the news" })).status).toBe(303);
      expect(await recordOf(retailer.slug)).toMatchObject({
        status: "in_administration",
        shortInfo: "Not\nso well",
        adultsOnly: true,
      });
      expect(await entriesOf(retailer.slug)).toMatchObject([{ action: "retailer.change", why: "in the news" }]);
    });

    test.each([
      ["active", "paused", true],
      ["active", "closed", true],
      ["paused", "in_administration", true],
      ["in_administration", "closed", true],
      ["closed", "active", false],
      ["in_administration", "paused", false],
      ["paused", "paused", false],
    ] as const)("A2 from %s to %s: a question is asked is %s", async (status, to, isAsked) => {
      const retailer = await insertRetailer(db, { status });
      const asked = await ask(retailer.slug, { status: to, popularity: "7" });
      expect(asked.status).toBe(isAsked ? 200 : 303);
      expect((await recordOf(retailer.slug)).status).toBe(isAsked ? status : to);
    });

    test("A2 a form from before somebody else's save says so, also after the question", async () => {
      const retailer = await insertRetailer(db, { name: "Contested" });
      const path = `/admin/retailers/${retailer.slug}`;
      const mine = await formFor(retailer.slug, { status: "closed" });
      expect((await admin.post(path, editor, mine)).status).toBe(200);
      expect((await admin.post(path, editor, await formFor(retailer.slug, { popularity: "5" }))).status).toBe(303);
      for (const late of [mine, { ...mine, confirmed: "yes", why: "news" }]) {
        const answer = await admin.post(path, editor, late);
        expect(answer.status).toBe(409);
        expect(await answer.text()).not.toContain("Close Contested?");
      }
      expect((await recordOf(retailer.slug)).status).toBe("active");
    });

    test("A2 G6 counts the purchases that wait, the gift cards on sale and the unused cards", async () => {
      const retailer = await insertRetailer(db, { name: "Counted" });
      expect(await findClosing(db, await recordOf(retailer.slug), { now: NOW })).toEqual({
        ...{ liveOffers: 0, purchases: { open: 0, members: 0 }, freeCodes: 0, giftCards: [], heldCards: 0 },
      });
      const offer = await insertOffer(db, { networkId: network.id, retailerId: retailer.id });
      await db
        .insertInto("offer_codes")
        .values(["A", "B"].map((code) => ({ id: newId(), offer_id: offer.id, code_kind: "pool", code })))
        .execute();
      await db
        .insertInto("gift_card_products")
        .values({
          ...{ id: newId(), issuer: "test", issuer_product_id: "counted", name: "Counted", retailer_id: retailer.id },
          ...{ min_pence: 500, max_pence: 5_000, step_pence: 100, issuer_discount_bp: 0, reward_bp: 0 },
          ...{ is_reversible: false, redeemable_at: ["online"], terms: "", synced_at: NOW },
        })
        .execute();
      expect(await findClosing(db, await recordOf(retailer.slug), { now: NOW })).toMatchObject({
        ...{ liveOffers: 1, freeCodes: 2, giftCards: ["Counted"] },
      });
      const words = textOf((await ask(retailer.slug, { status: "closed" })).html);
      expect(words).toContain("Its gift card (Counted) is not sold any more.");
      expect(words).toContain("2 codes in pools are not given out.");
      expect(words).toContain("nobody is e-mailed");
      const paused = textOf((await ask(retailer.slug, { status: "paused" })).html);
      expect(paused).toContain("Its gift card (Counted) stays on sale.");
      expect(paused).not.toContain("e-mailed");
    });
  });

  test("A2 wrong fields are named in words; a save that comes too late keeps both", async () => {
    const retailer = await insertRetailer(db, { name: "Strict" });
    const path = `/admin/retailers/${retailer.slug}`;
    const wrong = { name: " ", homepageUrl: "ftp://x", tracksMin: "9", shortInfo: "The best prices in town" };
    const refused = await (await admin.post(path, editor, await formFor(retailer.slug, wrong))).text();
    for (const words of ["Name must not be empty", "must be a full web address", "without evidence"])
      expect(refused).toContain(words);
    const days = await admin.post(path, editor, await formFor(retailer.slug, { tracksMin: "9", confirmsMax: "1" }));
    expect(await days.text()).toMatch(/days at most must not be less[\s\S]*days at most must not be less/);
    const [mine, theirs] = [
      await formFor(retailer.slug, { name: "Mine" }),
      await formFor(retailer.slug, { name: "Theirs" }),
    ];
    expect((await admin.post(path, editor, theirs)).status).toBe(303);
    const late = await admin.post(path, editor, mine);
    expect(late.status).toBe(409);
    expect(await late.text()).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/);
    expect((await recordOf(retailer.slug)).name).toBe("Theirs");
  });

  test("A2 a change is undone with its lists", async () => {
    const retailer = await insertRetailer(db, { name: "Undone", brandIds: [brand.id], categoryIds: [shoes.id] });
    const path = `/admin/retailers/${retailer.slug}`;
    const before = formOf(await recordOf(retailer.slug));
    const form = await formFor(retailer.slug, {
      ...{ name: "Oops", status: "closed", mainCategory: books.slug, confirmed: "yes", why: "it has closed" },
    });
    delete (form as Record<string, string>)[`brand-${brand.slug}`];
    await admin.post(path, editor, form);
    const [entry] = await entriesOf(retailer.slug);
    const undo = { undo: String(entry!.seq), confirmed: "yes", why: "the wrong shop" };
    expect((await admin.post(`${path}/history`, editor, undo)).status).toBe(303);
    expect(formOf(await recordOf(retailer.slug))).toEqual(before);
    expect((await entriesOf(retailer.slug)).map(({ action }) => action)).toEqual(["retailer.change", "retailer.undo"]);
  });

  test("A2 an undo that would bring a worse state back leads to the form, which says what it stops", async () => {
    const retailer = await insertRetailer(db, { name: "Reopened" });
    const path = `/admin/retailers/${retailer.slug}`;
    const close = { status: "closed", confirmed: "yes", why: "it has closed" };
    await admin.post(path, editor, await formFor(retailer.slug, close));
    await admin.post(path, editor, await formFor(retailer.slug, { status: "active" }));
    const undo = {
      undo: String((await entriesOf(retailer.slug)).at(-1)!.seq),
      confirmed: "yes",
      why: "the wrong shop",
    };
    for (const typed of [{ undo: undo.undo }, undo]) {
      const answer = await admin.post(`${path}/history`, editor, typed);
      expect(answer.status).toBe(409);
      const words = await answer.text();
      expect(words).toContain("the old state, closed, stops more than today’s");
      expect(words).not.toContain("Undo this change?");
    }
    expect((await recordOf(retailer.slug)).status).toBe("active");
  });

  test("A2 a retailer without a network is added once for an address", async () => {
    const form = {
      ...{
        name: "Nan Thistle’s Pantry",
        homepageUrl: "https://pantry.example/",
        status: "active",
        confirmsAfter: "purchase",
      },
      ...{ tracksMin: "1", tracksMax: "7", confirmsMin: "45", confirmsMax: "90", [`brand-${brand.slug}`]: "yes" },
    };
    const made = await admin.post("/admin/retailers/new", editor, form);
    expect(made.headers.get("location")).toBe("/admin/retailers/nan-thistles-pantry?made");
    expect(await findRetailerPage(db, { brandId: brand.id, now: NOW, slug: "nan-thistles-pantry" })).not.toBeNull();
    const twice = await admin.post("/admin/retailers/new", editor, form);
    expect(twice.status).toBe(422);
    expect(await twice.text()).toContain("There is a retailer at the address");
    expect(await entriesOf("nan-thistles-pantry")).toMatchObject([{ action: "retailer.create", before: null }]);
  });

  test("A3 O7 a retailer's page has the boosts that run and are to come, and none that is over", async () => {
    const shop = await insertRetailer(db, { name: "Boosted" });
    const programme = await insertProgramme(db, { networkId: network.id, retailerId: shop.id });
    const { id: rateTierId } = await insertRateTier(db, { programmeId: programme.id, bp: 600, label: "New customers" });
    const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);
    for (const [bp, from, to] of [
      [675, -9, -1],
      [725, -1, 3],
      [850, 10, 12],
    ] as const)
      await insertBoost(db, { rateTierId, bp, startsAt: days(from), endsAt: days(to) });
    const page = (await (await admin.get(`/admin/retailers/${shop.slug}`, editor)).text()).replaceAll("<!-- -->", "");
    expect(page).toContain("New customers: 6%");
    expect(page).toContain("boosted to 7.25% from");
    expect(page).toContain("boosted to 8.5% from");
    expect(page).not.toContain("6.75%");
  });

  test("A3 retailers are found by name, state, category, brand and network; those that track worst come first", async () => {
    const bad = await insertRetailer(db, {
      name: "Zz Falling",
      categoryIds: [books.id],
      brandIds: [other.id],
      status: "paused",
    });
    const good = await insertRetailer(db, { name: "Zz Fine" });
    const few = await insertRetailer(db, { name: "Zz Few" });
    const programme = await insertProgramme(db, { networkId: network.id, retailerId: bad.id });
    await insertRateTier(db, { programmeId: programme.id, bp: 600, label: "New customers" });
    const measured = (retailerId: string, purchases: number, tracked: number) =>
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
    await measured(bad.id, 20, 17);
    await measured(good.id, 30, 30);
    await measured(few.id, 19, 0);
    const slugs = async (filters: RetailerFilters, sort?: string) =>
      (await listed(filters, sort)).map(({ slug }) => slug);
    expect(await slugs({ q: "zz f" }, "tracking")).toEqual([bad.slug, good.slug, few.slug]);
    expect(
      await slugs({ q: "ZZ", status: "paused", category: books.slug, brand: other.slug, network: "awin" }),
    ).toEqual([bad.slug]);
    expect(await slugs({ q: bad.slug, hidden: brand.slug })).toEqual([bad.slug]);
    expect(await slugs({ q: bad.slug, hidden: other.slug })).toEqual([]);
    for (const wrong of [{ status: "closed" }, { category: shoes.slug }, { brand: brand.slug }, { network: "cj" }])
      expect(await slugs({ q: bad.slug, ...wrong })).toEqual([]);
    const need = (await findNeeds(db, { role: "catalogue", now: NOW })).find(({ key }) => key === "tracking")!;
    expect(need.count).toBe(1);
    const html = await (await admin.get(need.path, editor)).text();
    expect(html.indexOf("Zz Falling")).toBeLessThan(html.indexOf("Zz Fine"));
    const page = await (await admin.get(`/admin/retailers/${bad.slug}`, editor)).text();
    expect(page).toContain("New customers");
    expect(page).toContain("of which 17 tracked in time");
    expect(await (await admin.get("/admin/retailers.csv?q=zz", editor)).text()).toContain("Zz Few");
  });
});
