import { THE_CLUB } from "@farthing/core/catalogue/offers/offer-source.ts";
import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import {
  daysFromNow,
  insertCategory,
  insertCode,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  insertVariant,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { findOfferRecord, typedOfOffer } from "@farthing/core/catalogue/offers/find-offer-record.server.ts";
import {
  offerList,
  type ListedOffer,
  type OfferFilters,
  type OfferListSort,
} from "@farthing/core/catalogue/offers/list-offers.server.ts";
import { findOfferPage } from "@farthing/core/catalogue/offers/queries.server.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import type { Closing } from "../process/shutdown.ts";
import { watchSiteContent } from "../pages/watch-site-content.ts";

const { db, pool } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const editor = await insertOperator(db, { role: "catalogue" });
const brand = await insertBrand(db);
const network = await insertNetwork(db);
const shoes = await insertCategory(db, "Shoes");
const retailer = await insertRetailer(db, { name: "Fernhollow Boots", brandIds: [brand.id], categoryIds: [shoes.id] });
const programme = await insertProgramme(db, { networkId: network.id, retailerId: retailer.id });

const newOffer = (different: Partial<Parameters<typeof insertOffer>[1]> = {}) =>
  insertOffer(db, { networkId: network.id, retailerId: retailer.id, programmeId: programme.id, ...different });
const recordOf = async (publicId: string) => (await findOfferRecord(db, { publicId }))!;
/** The form of an offer as its page shows it. */
async function formOf(publicId: string, different: Record<string, string> = {}) {
  const record = await recordOf(publicId);
  return { version: record.fingerprint, ...typedOfOffer(record), ...different };
}
const entriesOf = (publicId: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", publicId).orderBy("seq").execute();
const listed = async (filters: OfferFilters, sort = "-changed") =>
  (
    await findListPage<ListedOffer, OfferListSort>(
      db,
      offerList(filters, NOW),
      readListState(new URLSearchParams({ sort }), { sorts: ["changed", "title", "ends"], defaultSort: "-changed" }),
    )
  ).rows;

describe("A2 offers in the admin", () => {
  test("A2 each field of an offer is saved with an entry in the log, and the site and the search have it at once", async () => {
    const { id, publicId } = await newOffer({ title: "Ten per cent", categoryIds: [shoes.id] });
    const books = await insertCategory(db, "Books");
    const form = await formOf(publicId, {
      ...{
        title: "Twenty <b>off</b>",
        headline: "20% off",
        kind: "deal",
        description: "Two\r\nlines",
        terms: "T",
        exclusions: "E",
      },
      ...{
        landingUrl: "https://shop.example/new",
        code: "TWENTY",
        startsAt: "2026-11-01T09:00",
        endsAt: "2026-12-24T18:30:10",
      },
      ...{ popularity: "77", adultsOnly: "yes", [`category-${books.slug}`]: "yes", [`brand-${brand.slug}`]: "yes" },
      variants: "Online | https://shop.example/online\nIn the shop",
    });
    delete (form as Record<string, string>)[`category-${shoes.slug}`];
    const saved = await admin.post(`/admin/offers/${publicId}`, editor, form);
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `/admin/offers/${publicId}?saved`]);
    expect(await recordOf(publicId)).toMatchObject({
      ...{
        title: "Twenty <b>off</b>",
        slug: "twenty-b-off-b",
        headline: "20% off",
        kind: "deal",
        description: "Two\nlines",
      },
      ...{
        terms: "T",
        exclusions: "E",
        landingUrl: "https://shop.example/new",
        code: "TWENTY",
        popularity: 77,
        adultsOnly: true,
      },
      ...{ startsAt: new Date("2026-11-01T09:00:00Z"), endsAt: new Date("2026-12-24T18:30:10Z") },
      ...{ categories: ["books"], brands: [brand.slug] },
      variants: [
        { label: "Online", landingUrl: "https://shop.example/online" },
        { label: "In the shop", landingUrl: null },
      ],
    });
    const [entry, ...more] = await entriesOf(publicId);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: "offer.change",
      actor: editor.email,
      before: { title: "Ten per cent", categories: ["shoes"], code: null },
      after: { title: "Twenty <b>off</b>", categories: ["books"], code: "TWENTY" },
    });
    const found = await sql<{ n: number }>`select count(*)::int as n from search_offers
      where offer_id = ${id} and document @@ to_tsquery('farthing', 'twenty') and kind = 'deal'`.execute(db);
    expect(found.rows[0]?.n).toBe(1);
    const page = await (await admin.get(`/admin/offers/${publicId}`, editor)).text();
    expect(page).toContain("Twenty &lt;b&gt;off");
    expect(page).not.toContain("<b>off");
  });

  test("A2 wrong fields are named in words and nothing that was typed is lost", async () => {
    const { publicId } = await newOffer();
    const before = await recordOf(publicId);
    const refused = await admin.post(
      `/admin/offers/${publicId}`,
      editor,
      await formOf(publicId, {
        ...{ title: "", landingUrl: "javascript:alert(1)", startsAt: "2026-12-01T00:00", endsAt: "2026-11-01T00:00" },
        ...{ popularity: "-1", headline: "x".repeat(41), description: "kept words" },
        variants: "Same\nSame",
      }),
    );
    expect(refused.status).toBe(422);
    const html = await refused.text();
    for (const words of [
      "Title must not be empty",
      "Where it leads must be a full web address",
      "Popularity must be a whole number",
      "shorten it to at most 40",
      "kept words",
    ])
      expect(html).toContain(words);
    const dates = await admin.post(
      `/admin/offers/${publicId}`,
      editor,
      await formOf(publicId, { endsAt: "2026-01-01T00:00", variants: "Same\nSame", title: "Up to 50% off" }),
    );
    const second = await dates.text();
    for (const words of ["Ends must be after the start", "the label “Same” twice", "without the lowest amount"])
      expect(second).toContain(words);
    const unknown = await admin.post(
      `/admin/offers/${publicId}`,
      editor,
      await formOf(publicId, { "category-none": "yes", "brand-none": "yes" }),
    );
    expect(unknown.status).toBe(422);
    expect(await unknown.text()).toContain("There is no category “none”.");
    expect(await recordOf(publicId)).toEqual(before);
    expect(await entriesOf(publicId)).toEqual([]);
  });

  test("A2 a save that comes too late says who saved what, and keeps both", async () => {
    const { publicId } = await newOffer({ title: "First" });
    const [mine, theirs] = [await formOf(publicId, { title: "Mine" }), await formOf(publicId, { title: "Theirs" })];
    const other = await insertOperator(db, { role: "owner", name: "Other" });
    await admin.post(`/admin/offers/${publicId}`, other, theirs);
    const late = await admin.post(`/admin/offers/${publicId}`, editor, mine);
    expect(late.status).toBe(409);
    const html = await late.text();
    expect(html).toContain(other.email);
    expect(html).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/);
    expect((await recordOf(publicId)).title).toBe("Theirs");
    const version = (await recordOf(publicId)).fingerprint;
    expect(html).toContain(version);
    expect((await admin.post(`/admin/offers/${publicId}`, editor, { ...mine, version })).status).toBe(303);
    expect((await recordOf(publicId)).title).toBe("Mine");
    // Whatever else changes the offer, such as an import, makes a form too old as well.
    const old = await formOf(publicId, { title: "Late again" });
    await sql`delete from offer_categories`.execute(db);
    await insertVariant(db, { offerId: (await recordOf(publicId)).id, label: "New" });
    expect((await admin.post(`/admin/offers/${publicId}`, editor, old)).status).toBe(409);
  });

  test("A2 a change is undone by writing its old values back, as a change of its own", async () => {
    const { publicId } = await newOffer({ title: "Right", headline: "5% off", categoryIds: [shoes.id] });
    await admin.post(
      `/admin/offers/${publicId}`,
      editor,
      await formOf(publicId, { title: "Wrong", code: "WRONG", endsAt: "" }),
    );
    await admin.post(`/admin/offers/${publicId}`, editor, await formOf(publicId, { headline: "6% off" }));
    const [first] = await entriesOf(publicId);
    const path = `/admin/offers/${publicId}/history`;
    expect(await (await admin.get(path, editor)).text()).toContain("<ins>Wrong</ins>");
    const asked = await (await admin.post(path, editor, { undo: String(first!.seq) })).text();
    expect(asked).toContain("Undo this change?");
    expect((await recordOf(publicId)).title).toBe("Wrong");
    const confirmed = { undo: String(first!.seq), confirmed: "yes" };
    expect((await admin.post(path, editor, { ...confirmed, why: "" })).status).toBe(422);
    expect((await admin.post(path, editor, { ...confirmed, why: "typed by mistake" })).status).toBe(303);
    expect(await recordOf(publicId)).toMatchObject({
      title: "Right",
      headline: "6% off",
      code: null,
      endsAt: daysFromNow(30),
    });
    const entries = await entriesOf(publicId);
    expect(entries.map(({ action }) => action)).toEqual(["offer.change", "offer.change", "offer.undo"]);
    expect(entries[2]).toMatchObject({ before: { title: "Wrong" }, after: { title: "Right" } });
    expect(entries[2]!.why).toContain("typed by mistake");
    expect((await admin.post(path, editor, { ...confirmed, why: "again" })).status).toBe(409);
    const foreign = await newOffer();
    expect(
      (await admin.post(`/admin/offers/${foreign.publicId}/history`, editor, { ...confirmed, why: "not its own" }))
        .status,
    ).toBe(422);
  });

  test("A2 publishing and withdrawing is undone too", async () => {
    const { publicId } = await newOffer();
    const path = `/admin/offers/${publicId}`;
    expect(await (await admin.post(path, editor, { act: "withdraw" })).text()).toContain("Withdraw this offer?");
    expect((await recordOf(publicId)).status).toBe("live");
    const done = await admin.post(path, editor, { act: "withdraw", confirmed: "yes", why: "the shop asked" });
    expect(done.headers.get("location")).toBe(`${path}?withdraw`);
    expect(await recordOf(publicId)).toMatchObject({ status: "withdrawn", kept: ["status"] });
    expect((await admin.post(path, editor, { act: "withdraw", confirmed: "yes", why: "again" })).status).toBe(409);
    const [entry] = await entriesOf(publicId);
    await admin.post(`${path}/history`, editor, { undo: String(entry!.seq), confirmed: "yes", why: "they did not" });
    expect(await recordOf(publicId)).toMatchObject({ status: "live", kept: [] });
  });

  test("A2 an offer of the club's own is a draft first, sold through the retailer's programme, and published then", async () => {
    const form = {
      ...{
        retailer: retailer.slug,
        title: "Ours",
        kind: "deal",
        landingUrl: "https://shop.example/ours",
        startsAt: "2026-11-19T00:00",
      },
      ...{ endsAt: "", popularity: "", variants: "", [`category-${shoes.slug}`]: "yes" },
    };
    const nobody = await admin.post("/admin/offers/new", editor, { ...form, retailer: "nobody" });
    expect(nobody.status).toBe(422);
    expect(await nobody.text()).toContain("There is no retailer “nobody”");
    const made = await admin.post("/admin/offers/new", editor, { ...form, retailer: retailer.name.toUpperCase() });
    const path = made.headers.get("location")!.replace("?made", "");
    expect(await (await admin.get(`${path}?saved`, editor)).text()).toContain("Members see it once it is published.");
    const publicId = path.split("/").at(-1)!;
    const shown = async () => (await findOfferPage(db, { brandId: brand.id, now: NOW, publicId }))?.state;
    expect(await shown()).toBe("withdrawn");
    expect(await entriesOf(publicId)).toMatchObject([
      { action: "offer.create", before: null, after: { status: "withdrawn" } },
    ]);
    await admin.post(path, editor, { act: "publish", confirmed: "yes", why: "agreed with the shop" });
    expect(await shown()).toBe("live");
    const stored = await db
      .selectFrom("offers")
      .selectAll()
      .where("public_id", "=", publicId)
      .executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ network_id: null, programme_id: programme.id, kept: [] });
  });

  test("A2 C1 an offer that becomes one in store leaves its programme and promises no cashback; no longer in store, it has it again", async () => {
    await insertRateTier(db, { programmeId: programme.id, bp: 400 });
    const { publicId } = await newOffer({ kind: "deal", title: "At the till" });
    const save = async (different: Record<string, string>) =>
      (await admin.post(`/admin/offers/${publicId}`, editor, await formOf(publicId, different))).status;
    const promised = async () => {
      const offer = await findOfferPage(db, { brandId: brand.id, now: NOW, publicId });
      return [(await recordOf(publicId)).programmeId, offer?.rates.length];
    };
    expect(await promised()).toEqual([programme.id, 1]);
    expect(await save({ kind: "in_store" })).toBe(303);
    expect(await promised()).toEqual([null, 0]);
    expect(await save({ landingUrl: "https://elsewhere.example/" }), "nobody clicks").toBe(303);
    expect(await save({ kind: "deal" }), "where no click would lead").toBe(422);
    expect(await save({ kind: "deal", landingUrl: "https://shop.example/" })).toBe(303);
    expect(await promised()).toEqual([programme.id, 1]);
  });

  test("O4 an offer with a code that has none says so before it is published and while it is live, until it gets one", async () => {
    const { publicId } = await newOffer({ kind: "code", status: "withdrawn" });
    const path = `/admin/offers/${publicId}`;
    const warning = "It is an offer with a code and has none";
    const isWarned = async () => (await (await admin.get(path, editor)).text()).includes(warning);
    expect(await isWarned()).toBe(false);
    expect(await (await admin.post(path, editor, { act: "publish" })).text()).toContain(warning);
    await admin.post(path, editor, { act: "publish", confirmed: "yes", why: "agreed with the shop" });
    expect(await isWarned()).toBe(true);
    await admin.post(path, editor, await formOf(publicId, { code: "SPRING" }));
    expect(await isWarned()).toBe(false);
  });

  test("O4 a variant with codes is renamed, not removed; one without is", async () => {
    const { id, publicId } = await newOffer();
    const held = await insertVariant(db, { offerId: id, label: "Child" });
    await insertVariant(db, { offerId: id, label: "Adult", position: 1 });
    await insertCode(db, { offerId: id, variantId: held.id, codeKind: "pool", code: "ONE" });
    const path = `/admin/offers/${publicId}`;
    const removed = await admin.post(path, editor, await formOf(publicId, { variants: "" }));
    expect(removed.status).toBe(422);
    expect(await removed.text()).toContain("“Child” has 1 code,");
    expect((await admin.post(path, editor, await formOf(publicId, { variants: "Under 16" }))).status).toBe(303);
    expect((await recordOf(publicId)).variantIds).toMatchObject([{ id: held.id, label: "Under 16", codes: 1 }]);
  });

  test("A3 offers are found by words, retailer, numbers, brand, category, kind and state", async () => {
    const other = await insertRetailer(db, { name: "Hobnettle Tools" });
    const offer = await newOffer({
      title: "Spades for all",
      kind: "in_store",
      categoryIds: [shoes.id],
      startsAt: daysFromNow(2),
      retailerId: other.id,
      programmeId: null,
    });
    const stored = await recordOf(offer.publicId);
    const ids = async (filters: OfferFilters) => (await listed(filters)).map(({ publicId }) => publicId);
    for (const q of ["SPADES", "hobnet", offer.publicId, stored.number])
      expect(await ids({ q })).toEqual([offer.publicId]);
    expect(await ids({ q: "100%_" })).toEqual([]);
    expect(await ids({ retailer: other.slug, kind: "in_store", category: shoes.slug, state: "upcoming" })).toEqual([
      offer.publicId,
    ]);
    const { slug: network } = await db
      .selectFrom("offers")
      .innerJoin("networks", "networks.id", "offers.network_id")
      .select("networks.slug")
      .where("offers.public_id", "=", offer.publicId)
      .executeTakeFirstOrThrow();
    expect(await ids({ q: "spades", network })).toEqual([offer.publicId]);
    for (const wrong of [
      { network: THE_CLUB },
      { network: "another" },
      { state: "live" },
      { state: "ended" },
      { state: "withdrawn" },
      { brand: brand.slug },
      { kind: "deal" },
    ])
      expect(await ids({ q: "spades", ...wrong })).toEqual([]);
    const file = await (await admin.get("/admin/offers.csv?q=spades", editor)).text();
    expect(file).toContain("Spades for all");
    expect(file.trim().split("\n")).toHaveLength(2);
    const plan = (sort: OfferListSort) =>
      db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx);
        await sql`set local enable_sort = off`.execute(trx);
        const { sorts } = offerList({}, NOW);
        const { rows } = await sql<{ "QUERY PLAN": string }>`explain select offer.id from offers offer
          order by ${sorts[sort].by} desc, offer.id desc limit 50`.execute(trx);
        return rows.map((line) => line["QUERY PLAN"]).join("\n");
      });
    expect(await plan("changed")).toContain("offers_changed");
    expect(await plan("title")).toContain("offers_title");
    expect(await plan("ends")).toContain("offers_ending");
  });

  test("A3 O5 an offer for an app names only the brands that have one, as the list does", async () => {
    const withApp = await insertBrand(db, { hasApp: true });
    const both = await insertRetailer(db, { brandIds: [brand.id, withApp.id] });
    const offer = await newOffer({ kind: "app_exclusive", retailerId: both.id, programmeId: null });
    expect((await recordOf(offer.publicId)).shownBy).toMatchObject([{ slug: withApp.slug }]);
    for (const [slug, count] of [
      [brand.slug, 0],
      [withApp.slug, 1],
    ] as const)
      expect(await listed({ q: offer.publicId, brand: slug })).toHaveLength(count);
    const path = `/admin/offers/${offer.publicId}`;
    expect((await admin.get(`${path}/preview/${brand.slug}`, editor)).status).toBe(404);
    await db.updateTable("brands").set({ store_links: "{}" }).where("id", "=", withApp.id).execute();
    expect(await (await admin.get(path, editor)).text()).toContain("or that have no app");
  });

  test("A2 many offers are withdrawn at once after a question that names them, each with its entry", async () => {
    const [one, two] = [
      await newOffer({ title: "Bulk one" }),
      await newOffer({ title: "Bulk two", status: "withdrawn" }),
    ];
    const ids = [one.publicId, two.publicId];
    expect((await admin.post("/admin/offers", editor, { act: "withdraw", ids: [] })).status).toBe(422);
    expect(await (await admin.post("/admin/offers", editor, { act: "withdraw", ids })).text()).toContain(
      "Withdraw these 2 offers?",
    );
    const done = await (
      await admin.post("/admin/offers", editor, { act: "withdraw", ids, confirmed: "yes", why: "ended early" })
    ).text();
    expect(done).toContain("1 withdrawn. 1 were so already.");
    expect((await entriesOf(one.publicId)).map(({ action, why }) => [action, why])).toEqual([
      ["offer.withdraw", "ended early"],
    ]);
    expect(await entriesOf(two.publicId)).toEqual([]);
  });

  test("A2 pages of the site that were kept are dropped by a change, in every process", async () => {
    const { publicId } = await newOffer({ title: "Stale title" });
    const { app, pages } = testApp([brand], async (_request, visit) =>
      htmlPage((await findOfferPage(db, { brandId: brand.id, now: NOW, publicId }))?.title ?? "none", visit),
    );
    const site = async () => {
      const answer = await app.request(`http://${brand.slug}.test/`, { headers: { host: `${brand.slug}.test` } });
      return await answer.text();
    };
    let cleared = 0;
    const closing: Closing[] = [];
    watchSiteContent({
      pool,
      closing,
      logger: {
        error(line: unknown) {
          throw new Error("The watch failed.", { cause: line });
        },
      },
      forget() {
        pages.cache.clear();
        pages.membersCache.clear();
        cleared += 1;
      },
    });
    try {
      await vi.waitUntil(() => cleared > 0, { timeout: 20_000, interval: 5 });
      expect(await site()).toContain("Stale title");
      const seen = cleared;
      await admin.post(`/admin/offers/${publicId}`, editor, await formOf(publicId, { title: "Fresh title" }));
      await vi.waitUntil(() => cleared > seen, { timeout: 20_000, interval: 5 });
      await vi.waitUntil(async () => (await site()).includes("Fresh title"), { timeout: 20_000, interval: 5 });
    } finally {
      for (const one of closing) await one.close();
    }
  });
});
