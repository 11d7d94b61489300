import type { Db } from "@farthing/db/client.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { makeClick, makeClub, reportedSale, type ClubForTests } from "../../cashback/cashback.testing.ts";
import { findReceipt } from "../../cashback/find-receipt.server.ts";
import { findPurchases } from "../../cashback/find-purchases.server.ts";
import { recordReportedTransaction } from "../../cashback/operations.server.ts";
import { measureTimings } from "../../cashback/timings.server.ts";
import {
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  promotion,
  recordsFile,
} from "../../catalogue-imports/catalogue-files.testing.ts";
import { lockImports } from "../../catalogue-imports/import-lock.server.ts";
import { claimForm, clickOf, OPEN } from "../../claims/claims.testing.ts";
import { makeClaim } from "../../claims/operations.server.ts";
import { setClaimRule } from "../../claims/claim-rules.server.ts";
import { makeShop, type ShopForTests } from "../../clicks/clicks.testing.ts";
import { findRetailerTarget } from "../../clicks/queries.server.ts";
import { addFavourite, removeFavourite } from "../../favourites/operations.server.ts";
import { findListPage } from "../../lists/find-list-page.server.ts";
import { readListState } from "../../lists/list-schema.ts";
import { workOutScorecards } from "../../scorecards/operations.server.ts";
import { indexCatalogue } from "../../search/index-catalogue.server.ts";
import { searchCatalogue } from "../../search/queries.server.ts";
import { insertBrand } from "../../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../../testing/insert-member.testing.ts";
import { insertNetwork } from "../../testing/insert-network.testing.ts";
import { insertCategory, insertRetailer, NOW, insertProgramme } from "../catalogue.testing.ts";
import { createOffer } from "../offers/change-offer.server.ts";
import { changeRetailer } from "./change-retailer.server.ts";
import { findMerge, findMergeChoices } from "./find-merge.server.ts";
import { findMergedPlace } from "./find-merged.server.ts";
import { findRetailerRecord, formOf } from "./find-retailer-record.server.ts";
import { retailerList, type ListedRetailer, type RetailerSort } from "./list-retailers.server.ts";
import { mergeRetailers, type RetailerMerge } from "./merge-retailers.server.ts";
import { retailerReferences } from "./retailer-references.ts";

const { db } = await testDatabase();

/** Merges as somebody does who has just looked. */
async function merge(slug: string, into: string, database: Db = db): Promise<RetailerMerge> {
  const seen = (await findMerge(database, { slug, into }))?.seen ?? "";
  return await mergeRetailers(database, { slug, into, seen, now: NOW });
}
const recordOf = async (slug: string) => (await findRetailerRecord(db, { slug }))!;
const countOf = async (column: string, id: string) => {
  const [table, name] = column.split(".") as [string, string];
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)} where ${sql.id(name)} = ${id}`.execute(db);
  return rows[0]!.count;
};

/** A club whose shop is here twice: `club.shop` stays, `twin` is another record on a second network. */
async function clubWithTwin(): Promise<{ club: ClubForTests; twin: ShopForTests; atTwin: ClubForTests }> {
  const club = await makeClub(db, { networkSlug: `one-${newId().slice(-8)}` });
  const networkId = (await insertNetwork(db, { slug: `two-${newId().slice(-8)}` })).id;
  const twin = await makeShop(db, { brandId: club.brandId, networkId });
  return { club, twin, atTwin: { ...club, networkId, shop: twin } };
}

test("A2 every column that names a retailer has a fate in a merge", async () => {
  const { rows } = await sql<{ place: string }>`
    select format('%s.%s', child.relname, attribute.attname) as place
    from pg_constraint key join pg_class child on child.oid = key.conrelid
      join pg_attribute attribute on attribute.attrelid = key.conrelid and attribute.attnum = any(key.conkey)
    where key.contype = 'f' and key.confrelid = 'retailers'::regclass
    union
    select format('%s.%s', owner.relname, attribute.attname)
    from pg_attribute attribute join pg_class owner on owner.oid = attribute.attrelid and owner.relkind in ('r', 'p')
    where owner.relnamespace = 'public'::regnamespace and not attribute.attisdropped and attribute.attname ~ 'retailer.*_id$'`.execute(
    db,
  );
  const listed = Object.keys(retailerReferences).filter((place) => place !== "cashback_timings.subject_id");
  expect(rows.map(({ place }) => place).toSorted()).toEqual(listed.toSorted());
});

test("A2 whatever can be written for a merged retailer has the trigger that sends it on", async () => {
  const { rows } = await sql<{ place: string }>`
    select tgrelid::regclass::text || '.retailer_id' as place from pg_trigger
    where tgfoid = 'follow_merged_retailer'::regproc and not tgisinternal`.execute(db);
  const wanted = Object.entries(retailerReferences)
    .filter(([place, fate]) => ["moved", "joined"].includes(fate) || place === "retailer_scorecards.retailer_id")
    .map(([place]) => place);
  expect(rows.map(({ place }) => place).toSorted()).toEqual(wanted.toSorted());
});

describe("A2 merging two records of one shop", () => {
  test("A2 everything goes to the one that stays, what both have becomes one, and history keeps its name", async () => {
    const { club, twin, atTwin } = await clubWithTwin();
    const [from, into] = [twin.retailerId, club.shop.retailerId];
    const other = await insertBrand(db);
    const [first, second] = [await insertVerifiedMember(db, club), await insertVerifiedMember(db, club)];
    const [shoes, hats] = [await insertCategory(db, `Shoes ${from}`), await insertCategory(db, `Hats ${from}`)];
    const at = (retailerId: string) => ({ retailer_id: retailerId });
    await db
      .insertInto("retailer_categories")
      .values([
        { ...at(into), category_id: shoes.id, is_main: true },
        { ...at(from), category_id: shoes.id, is_main: false },
        { ...at(from), category_id: hats.id, is_main: true },
      ])
      .execute();
    await db
      .insertInto("brand_retailers")
      .values({ brand_id: other.id, ...at(from), is_featured: true })
      .execute();
    await db.updateTable("brand_retailers").set({ is_featured: true }).where("retailer_id", "=", from).execute();
    const earlier = new Date("2026-01-01T00:00:00Z");
    for (const [member, retailer, when] of [
      [first.id, into, NOW],
      [first.id, from, earlier],
      [second.id, from, NOW],
    ] as const) {
      await db
        .insertInto("favourite_retailers")
        .values({ member_id: member, ...at(retailer), created_at: when })
        .execute();
      await db
        .insertInto("rate_alerts")
        .values({
          ...{
            id: newId(),
            token: newId().replaceAll("-", ""),
            member_id: member,
            ...at(retailer),
            rate_kind: "percent",
          },
          ...{ asked_value: retailer === into ? 100 : 200, known_value: 300, created_at: when },
        })
        .execute();
    }
    for (const slug of [club.shop.retailerSlug, twin.retailerSlug])
      await setClaimRule(db, {
        ...{ slug, seen: null },
        rule: { opensAfterDays: slug === twin.retailerSlug ? 9 : 3, closesAfterDays: 90, needsEvidence: false },
      });
    await db
      .insertInto("gift_card_products")
      .values({
        ...{
          id: newId(),
          issuer: "test",
          issuer_product_id: newId(),
          name: twin.retailerSlug,
          min_pence: 500,
          max_pence: 5_000,
          step_pence: 100,
        },
        ...{
          issuer_discount_bp: 0,
          reward_bp: 0,
          is_reversible: false,
          redeemable_at: ["online"],
          terms: "",
          synced_at: NOW,
          ...at(from),
        },
      })
      .execute();
    const reference = await makeClick(db, atTwin, { createdAt: new Date("2026-10-01T09:00:00Z") });
    await recordReportedTransaction(db, {
      networkId: atTwin.networkId,
      reported: reportedSale(atTwin, reference),
      now: NOW,
    });
    const { clickNumber } = await clickOf(db, atTwin);
    const claimed = await makeClaim(db, {
      ...club,
      about: { clickNumber },
      form: claimForm({ orderReference: "CLAIMED" }),
      now: OPEN,
    });
    expect(claimed.outcome).toBe("made");
    await workOutScorecards(db, { now: NOW });
    await measureTimings(db, { now: NOW });
    await indexCatalogue(db, { now: NOW });
    await chainTo(twin.retailerSlug);

    const before = new Map<string, number>();
    for (const column of Object.keys(retailerReferences)) {
      before.set(column, await countOf(column, from));
      expect(before.get(column), column).toBeGreaterThan(0);
    }
    expect(await findMerge(db, { slug: twin.retailerSlug, into: club.shop.retailerSlug })).toMatchObject({
      offers: { live: 1, withdrawn: 0 },
      giftCards: 1,
      favourites: { all: 2, atBoth: 1 },
      alerts: { all: 2, atBoth: 1 },
      categories: [`Hats ${from}`],
      brands: [other.name],
      links: { number: club.shop.networkProgrammeId },
      hasClaimRule: { from: true, into: true },
      claims: { open: 1, over: 0 },
      purchases: 1,
      clicks: { count: 2, isEstimate: false },
    });
    expect(await merge(twin.retailerSlug, club.shop.retailerSlug)).toEqual({ outcome: "merged" });
    for (const [column, fate] of Object.entries(retailerReferences))
      expect([column, await countOf(column, from)]).toEqual([column, fate === "kept" ? before.get(column) : 0]);

    const place = await recordOf(club.shop.retailerSlug);
    expect(place).toMatchObject({
      ...{ liveOffers: 2, mainCategory: shoes.slug, categories: [hats.slug, shoes.slug].toSorted() },
      programmes: [
        { number: club.shop.networkProgrammeId, isPreferred: true },
        { number: twin.networkProgrammeId, isPreferred: false },
      ],
    });
    expect(place.brands).toContain(other.slug);
    const rows = async (table: "favourite_retailers" | "rate_alerts") =>
      await db.selectFrom(table).selectAll().where("retailer_id", "=", into).orderBy("created_at").execute();
    expect(await rows("favourite_retailers")).toMatchObject([
      { member_id: first.id, created_at: earlier },
      { member_id: second.id, created_at: NOW },
    ]);
    const alerts = new Map((await rows("rate_alerts")).map((alert) => [alert.member_id, alert]));
    expect([alerts.size, alerts.get(first.id), alerts.get(second.id)]).toMatchObject([
      2,
      { asked_value: 100 },
      { asked_value: 200 },
    ]);
    const featured = db.selectFrom("brand_retailers").select("is_featured").where("retailer_id", "=", into);
    expect(await featured.where("brand_id", "=", club.brandId).executeTakeFirst()).toEqual({ is_featured: true });
    const rule = db.selectFrom("claim_rules").select("opens_after_days").where("retailer_id", "=", into);
    expect(await rule.execute()).toEqual([{ opens_after_days: 3 }]);
    await sql`select name_gift_card_products()`.execute(db);
    const card = db
      .selectFrom("gift_card_products")
      .select(["retailer_id", "category_id"])
      .where("name", "=", twin.retailerSlug);
    expect(await card.execute()).toEqual([{ retailer_id: into, category_id: shoes.id }]);

    const receipt = await findReceipt(db, { memberId: club.memberId, clickNumber });
    expect(receipt?.retailer).toEqual({ slug: twin.retailerSlug, name: twin.retailerSlug });
    await workOutScorecards(db, { now: NOW });
    await measureTimings(db, { now: NOW });
    expect([
      await countOf("retailer_scorecards.retailer_id", into),
      await countOf("retailer_scorecards.retailer_id", from),
    ]).toEqual([1, 0]);
    expect([
      await countOf("cashback_timings.subject_id", into),
      await countOf("cashback_timings.subject_id", from),
    ]).toEqual([1, 0]);
    for (const words of [twin.retailerSlug, club.shop.retailerSlug]) {
      const found = await findPurchases(db, { memberId: club.memberId, now: NOW, words });
      expect(found.items.length, words).toBe(1);
    }
  });

  /** Makes a retailer that was merged into this one before. */
  async function chainTo(slug: string): Promise<string> {
    const earlier = await insertRetailer(db, { name: `Before ${newId()}` });
    expect(await merge(earlier.slug, slug)).toEqual({ outcome: "merged" });
    return earlier.slug;
  }

  test("A2 a sale at the old record is credited, and an order that was claimed at one is not claimed at the other", async () => {
    const { club, twin, atTwin } = await clubWithTwin();
    const visit = await clickOf(db, atTwin);
    const claimed = await makeClaim(db, {
      ...club,
      about: visit,
      form: claimForm({ orderReference: "TWICE" }),
      now: OPEN,
    });
    expect(claimed.outcome).toBe("made");
    await merge(twin.retailerSlug, club.shop.retailerSlug);
    const heldOf = async (orderReference: string, reference: string | null) => {
      const sale = reportedSale(atTwin, reference, { orderReference });
      await recordReportedTransaction(db, { networkId: atTwin.networkId, reported: sale, now: NOW });
      const row = db.selectFrom("network_transactions").select(["held_because", "click_id"]);
      return await row.where("network_transaction_id", "=", sale.networkTransactionId).executeTakeFirstOrThrow();
    };
    expect(await heldOf("BOUGHT", visit.reference)).toMatchObject({ held_because: null });
    const atOne = await clickOf(db, club);
    const again = (orderReference: string) =>
      makeClaim(db, { ...club, about: atOne, form: claimForm({ orderReference }), now: OPEN });
    expect(await again("twice")).toMatchObject({ outcome: "already" });
    expect(await again("bought")).toMatchObject({ outcome: "tracked" });
    await db
      .updateTable("claims")
      .set({ state: "filed", version: sql`version + 1`, filings: 1 })
      .where("order_key", "=", "TWICE")
      .where("retailer_id", "=", twin.retailerId)
      .where("state", "=", "open")
      .execute();
    expect((await heldOf("TWICE", null)).held_because, "the claim names the sale's order").toBeNull();
  });

  test("A2 the programme that is joined builds the links, and an old address of a link leads on", async () => {
    const { club, twin } = await clubWithTwin();
    await db.updateTable("programmes").set({ status: "suspended" }).where("id", "=", club.shop.programmeId).execute();
    await merge(twin.retailerSlug, club.shop.retailerSlug);
    const found = await findRetailerTarget(db, { brandId: club.brandId, slug: twin.retailerSlug });
    expect(found).toMatchObject({
      outcome: "found",
      target: {
        slug: club.shop.retailerSlug,
        retailerId: club.shop.retailerId,
        networkProgrammeId: twin.networkProgrammeId,
      },
    });
    const owner = { brandId: club.brandId, memberId: club.memberId, now: NOW };
    for (const kind of ["retailer", "alert"] as const) {
      const favourite = { kind, id: twin.retailerSlug };
      const column = kind === "alert" ? "rate_alerts.retailer_id" : "favourite_retailers.retailer_id";
      expect(await addFavourite(db, { ...owner, favourite })).toBe("added");
      expect(await countOf(column, club.shop.retailerId)).toBe(1);
      await removeFavourite(db, { ...owner, favourite });
      expect(await countOf(column, club.shop.retailerId)).toBe(0);
    }
  });

  test("A2 C1 one that is joined builds the links afterwards, though neither retailer's preferred one is", async () => {
    const { club, twin } = await clubWithTwin();
    const ids = [club.shop.programmeId, twin.programmeId];
    await db.updateTable("programmes").set({ status: "closed" }).where("id", "in", ids).execute();
    const { id: networkId } = await insertNetwork(db, { slug: `three-${newId().slice(-8)}` });
    const third = await insertProgramme(db, { networkId, retailerId: twin.retailerId, isPreferred: false });
    await merge(twin.retailerSlug, club.shop.retailerSlug);
    const preferred = db
      .selectFrom("programmes")
      .select("id")
      .where("retailer_id", "=", club.shop.retailerId)
      .where("is_preferred", "=", true);
    expect(await preferred.execute()).toEqual([third]);
  });

  test("A2 A into B into C: both old addresses lead to C in one step, at brands that show it", async () => {
    const brands = [await insertBrand(db), await insertBrand(db)];
    const shops = [];
    for (const name of ["Aa", "Bb", "Cc"])
      shops.push(await insertRetailer(db, { name: `${name} ${newId()}`, brandIds: [brands[0]!.id] }));
    const [a, b, c] = shops as [(typeof shops)[0], (typeof shops)[0], (typeof shops)[0]];
    expect(await merge(a.slug, b.slug)).toEqual({ outcome: "merged" });
    expect(await merge(b.slug, c.slug)).toEqual({ outcome: "merged" });
    for (const { slug } of [a, b]) {
      expect(await findMergedPlace(db, { brandId: brands[0]!.id, slug })).toBe(c.slug);
      expect(await findMergedPlace(db, { brandId: brands[1]!.id, slug })).toBeNull();
    }
    expect(await findMergedPlace(db, { brandId: brands[0]!.id, slug: c.slug })).toBeNull();
    expect((await recordOf(c.slug)).merged.map(({ slug }) => slug)).toEqual([a.slug, b.slug]);
  });

  test("A2 a merge into itself, into a merged one, of a merged one, of an unknown one and of one that was changed is refused", async () => {
    const shops = [];
    for (let i = 0; i < 4; i++) shops.push((await insertRetailer(db)).slug);
    const [a, b, c, d] = shops as [string, string, string, string];
    await merge(a, b);
    expect(await merge(c, c)).toEqual({ outcome: "self" });
    expect(await merge(c, a)).toEqual({ outcome: "already", slug: a, place: b });
    expect(await merge(a, c)).toEqual({ outcome: "already", slug: a, place: b });
    expect(await merge("no-such", c)).toEqual({ outcome: "unknown" });
    expect(await merge(c, "no-such")).toEqual({ outcome: "unknown" });
    const { seen } = (await findMerge(db, { slug: c, into: d }))!;
    await db.updateTable("retailers").set({ terms: "Other terms." }).where("slug", "=", d).execute();
    expect(await mergeRetailers(db, { slug: c, into: d, seen, now: NOW })).toEqual({ outcome: "stale" });
    expect(await findMerge(db, { slug: c, into: a })).toBeNull();
  });

  test("A2 of merges at once in a ring, those that would close it are refused", async () => {
    const shops = [];
    for (let i = 0; i < 3; i++) shops.push((await insertRetailer(db)).slug);
    const looked = [];
    for (const [at, slug] of shops.entries()) {
      const into = shops[(at + 1) % 3]!;
      looked.push({ slug, into, seen: (await findMerge(db, { slug, into }))!.seen, now: NOW });
    }
    const made = await Promise.all(looked.map((each) => mergeRetailers(db, each)));
    expect(made.filter(({ outcome }) => outcome === "merged")).toHaveLength(1);
    const { rows } = await sql<{ chains: number }>`select count(*)::int as chains from retailers merged
      join retailers place on place.id = merged.merged_into_id where place.merged_into_id is not null`.execute(db);
    expect(rows).toEqual([{ chains: 0 }]);
  });

  test("A2 a merge does not wait for an import that runs", async () => {
    const [a, b] = [await insertRetailer(db), await insertRetailer(db)];
    await db.transaction().execute(async (trx) => {
      await lockImports(trx);
      expect(await merge(a.slug, b.slug)).toEqual({ outcome: "busy" });
    });
    expect(await merge(a.slug, b.slug)).toEqual({ outcome: "merged" });
  });

  test("A2 a favourite that is added while the two are merged goes to the one that stays", async () => {
    const { club, twin } = await clubWithTwin();
    let added: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await sql`select from retailers where id = ${twin.retailerId} for update`.execute(trx);
      // The insert waits for the lock of the merge and reads what it has left.
      added = db
        .insertInto("favourite_retailers")
        .values({ member_id: club.memberId, retailer_id: twin.retailerId, created_at: NOW })
        .execute();
      await untilWaiting(db);
      await sql`update retailers set merged_into_id = ${club.shop.retailerId}, merged_at = ${NOW}, status = 'closed' where id = ${twin.retailerId}`.execute(
        trx,
      );
    });
    await added;
    expect(await countOf("favourite_retailers.retailer_id", twin.retailerId)).toBe(0);
    expect(await countOf("favourite_retailers.retailer_id", club.shop.retailerId)).toBe(1);
  });

  test("A2 a retailer that was merged is not changed, listed, found, offered for, or shown by a new brand", async () => {
    const brand = await insertBrand(db);
    const name = `Quillfeather ${newId().slice(-6)}`;
    const a = await insertRetailer(db, { name, brandIds: [brand.id] });
    const b = await insertRetailer(db, { name: `Marrowdene ${newId().slice(-6)}`, brandIds: [brand.id] });
    const c = await insertRetailer(db, { name: `Quillfeather & Co`, brandIds: [brand.id] });
    const words = async (slug: string, typed = "") =>
      (await findMergeChoices(db, { slug, words: typed })).map((row) => row.slug);
    expect(await words(c.slug)).toEqual([a.slug]);
    expect(await words(b.slug, "QUILLF")).toEqual(expect.arrayContaining([a.slug, c.slug]));
    await merge(a.slug, b.slug);
    await indexCatalogue(db, { now: NOW });
    expect(await words(c.slug)).toEqual([]);
    const record = await recordOf(a.slug);
    const change = { slug: a.slug, seen: record.fingerprint, form: { ...formOf(record), name: "New" }, now: NOW };
    expect(await changeRetailer(db, change)).toEqual({ outcome: "merged" });
    await expect(db.updateTable("retailers").set({ name: "New" }).where("id", "=", a.id).execute()).rejects.toThrow(
      "stays as it was",
    );
    await expect(
      db.updateTable("retailers").set({ merged_into_id: null }).where("id", "=", a.id).execute(),
    ).rejects.toThrow("cannot be undone");
    await expect(
      db
        .updateTable("retailers")
        .set({ merged_into_id: a.id, merged_at: NOW, status: "closed" })
        .where("id", "=", c.id)
        .execute(),
    ).rejects.toThrow("cannot be merged into one that was merged");
    const listed = await findListPage<ListedRetailer, RetailerSort>(
      db,
      retailerList({ q: a.slug }, NOW),
      readListState(new URLSearchParams(), { sorts: ["name"], defaultSort: "name" }),
    );
    expect(listed.rows).toEqual([]);
    const offer = { ...blankOffer, title: "A deal", landingUrl: "https://shop.example/" };
    expect(await createOffer(db, { retailer: a.slug, form: offer, now: NOW })).toMatchObject({
      outcome: "refused",
      faults: { retailer: expect.stringContaining(b.slug) },
    });
    const found = await searchCatalogue(db, { brandId: brand.id, query: name, now: NOW, sort: "relevance", page: 1 });
    expect(found.retailers.map(({ slug }) => slug)[0], "the old name leads to the one that stays").toBe(b.slug);
  });
});

const blankOffer = {
  ...{ kind: "deal" as const, headline: "", description: "", terms: "", exclusions: "", startsAt: NOW, endsAt: null },
  ...{ adultsOnly: false, popularity: 0, code: null, categories: [], brands: [], variants: [] },
};

test("A2 the next imports of both networks feed the one that stays, and make no duplicate again", async () => {
  const [one, two] = [await insertNetwork(db, { slug: "feed-one" }), await insertNetwork(db, { slug: "feed-two" })];
  const files = {
    "feed-one": {
      programmes: recordsFile(programme(501, { name: "Twice Shop" })),
      promotions: recordsFile(promotion(1, 501)),
    },
    "feed-two": {
      programmes: recordsFile(programme(502, { name: "Twice-Shop" })),
      promotions: recordsFile(promotion(2, 502)),
    },
  };
  const editorial = {
    "feed-one": editorialFile([editorialRetailer("501", { slug: "twice-shop", name: "Twice Shop" })]),
    "feed-two": editorialFile([
      editorialRetailer("502", {
        slug: "twice-shop-502",
        name: "Other Texts",
        offers: [{ networkOfferId: "2", headline: "Two" }],
      }),
    ]),
  };
  const importBoth = async () => {
    const notes = [];
    for (const network of ["feed-one", "feed-two"] as const) {
      const done = await importTexts(db, { ...files[network], editorial: editorial[network] }, { network });
      expect(done).toMatchObject({ outcome: "imported", problems: [] });
      notes.push(...done.files.flatMap(({ warnings }) => warnings));
    }
    return notes;
  };
  expect(await importBoth()).toEqual([]);
  await merge("twice-shop-502", "twice-shop");
  files["feed-two"] = {
    programmes: recordsFile(
      programme(502, {
        name: "Twice-Shop",
        commissionGroups: [{ groupId: "9", label: "All", kind: "percent", rateBp: 900 }],
      }),
    ),
    promotions: recordsFile(promotion(2, 502), promotion(3, 502)),
  };
  expect(await importBoth()).toEqual([expect.stringContaining('"twice-shop-502" was merged into "twice-shop"')]);
  const retailers = await db
    .selectFrom("retailers")
    .select(["slug", "name"])
    .where("slug", "like", "twice-shop%")
    .orderBy("slug")
    .execute();
  expect(retailers).toEqual([
    { slug: "twice-shop", name: "Twice Shop" },
    { slug: "twice-shop-502", name: "Other Texts" },
  ]);
  const { programmes, liveOffers } = await recordOf("twice-shop");
  expect([
    liveOffers,
    programmes.map(({ number, isPreferred, rates }) => [number, isPreferred, rates.map(({ bp }) => bp)]),
  ]).toEqual([
    3,
    [
      ["501", true, [expect.any(Number)]],
      ["502", false, [expect.any(Number)]],
    ],
  ]);
  const offers = await db
    .selectFrom("offers")
    .select(["network_offer_id", "headline"])
    .where("network_id", "in", [one.id, two.id])
    .orderBy("network_offer_id")
    .execute();
  expect(offers.find(({ network_offer_id: id }) => id === "2")?.headline).toBe("Two");
});
