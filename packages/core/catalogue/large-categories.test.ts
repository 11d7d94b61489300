import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { indexCatalogue } from "../search/index-catalogue.server.ts";
import { findCategoryPage } from "./categories/queries.server.ts";
import { daysFromNow, insertCategory, insertOffer, insertRetailer, NOW } from "./catalogue.testing.ts";

// Lists of a large category are found in another way than those of a small one (similar_offers, leading_offers, large_category_page): both have the
// same answers.

const { db } = await testDatabase();
let brandId: string;
let large: { id: string; slug: string };
let small: { id: string; slug: string };
let offerId: string;
let retailerId: string;

beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  const networkId = (await insertNetwork(db)).id;
  [large, small] = [await insertCategory(db, "Everything"), await insertCategory(db, "Lanterns")];
  const shops = [];
  for (const name of ["Aldercamp", "Birchgear", "Cedarkit"])
    shops.push(await insertRetailer(db, { name, brandIds: [brandId], categoryIds: [large.id] }));
  retailerId = shops[0]!.id;
  offerId = (await insertOffer(db, { networkId, retailerId, title: "The one", categoryIds: [large.id] })).id;
  // Of each shop, popular and unpopular ones, a quarter of which has ended.
  await sql`insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, ends_at, popularity)
    select gen_random_uuid(), 'many-' || n, (array[${sql.join(shops.map(({ id }) => sql`${id}::uuid`))}])[1 + n % 3], ${networkId}, 'many-' || n, 'deal', 'Offer ' || n,
      'https://shop.example/', ${daysFromNow(-30)}, case when n % 4 = 0 then ${daysFromNow(-1)}::timestamptz when n % 5 = 0 then ${daysFromNow(3)}::timestamptz end, n * 7919 % 50
    from generate_series(1, 1500) n`.execute(db);
  await sql`insert into offer_categories (offer_id, category_id) select id, ${large.id} from offers where slug like 'many-%'`.execute(
    db,
  );
  await sql`insert into offer_categories (offer_id, category_id) select id, ${small.id} from offers where slug like 'many-1%5'`.execute(
    db,
  );
});

const idsOf = async (query: ReturnType<typeof sql<{ id: string }>>) =>
  (await query.execute(db)).rows.map(({ id }) => id);

test("O7 offers like one of a large category are its retailer's, then the most popular of others", async () => {
  const found = await idsOf(
    sql`select offer_id as id from similar_offers(${brandId}, ${NOW}, ${offerId}, 3, 8) order by place`,
  );
  const live = sql`live_offers(${brandId}, ${NOW}) o where o.id <> ${offerId}`;
  const wanted = await idsOf(sql`
    (select o.id from ${live} and o.retailer_id = ${retailerId} order by o.popularity desc, o.public_id limit 3)
    union all (select o.id from ${live} and o.retailer_id <> ${retailerId} order by o.popularity desc, o.public_id limit 5)`);
  expect(found).toEqual(wanted);
});

test.each(["large", "small"] as const)(
  "D1 a home page leads with the most popular offers of a %s category, each retailer once",
  async (which) => {
    const category = which === "large" ? large : small;
    const found = await idsOf(
      sql`select offer_id as id from leading_offers(${brandId}, ${NOW}, array[${category.slug}], 4) order by place`,
    );
    const wanted = await idsOf(sql`select id from (
      select distinct on (p.retailer_id) p.* from (
        select o.* from live_offers(${brandId}, ${NOW}) o join offer_categories oc on oc.offer_id = o.id and oc.category_id = ${category.id}
        order by o.popularity desc, o.public_id limit 32) p order by p.retailer_id, p.popularity desc, p.public_id) once
    order by popularity desc, public_id limit 4`);
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual(wanted);
  },
);

test("D1 offers that have ended are not among those that end soon", async () => {
  const { rows } = await sql<{
    endsAt: Date;
  }>`select o.ends_at as "endsAt" from home_offers(${brandId}, ${NOW}, 12) home
    join offers o on o.id = home.offer_id where home.list = 'ending'`.execute(db);
  expect(rows).toHaveLength(12);
  for (const { endsAt } of rows) expect(endsAt.getTime()).toBeGreaterThan(NOW.getTime());
});

describe("the page of a large category (D4, D5)", () => {
  const ask = { slug: "", now: NOW, brandId: "", sort: "popular", page: 1 } as const;
  const pageOf = (request: Partial<Parameters<typeof findCategoryPage>[1]>) =>
    findCategoryPage(db, { ...ask, brandId, slug: large.slug, ...request });
  const idsOn = async (request: Partial<Parameters<typeof findCategoryPage>[1]>) =>
    (await pageOf(request))!.offers.map(({ publicId }) => publicId);

  beforeAll(async () => {
    await sql`update offers set kind = 'code' where slug like 'many-%7'`.execute(db);
    await indexCatalogue(db, { now: NOW });
  });

  const orders = {
    popular: sql`o.popularity desc, o.public_id`,
    newest: sql`o.starts_at desc, o.public_id`,
    ending: sql`o.ends_at asc nulls last, o.public_id`,
  };

  test.each(["popular", "newest", "ending"] as const)(
    "D4 has the same offers in the same order, %s first",
    async (sort) => {
      const all = await sql<{ id: string }>`select o.public_id as id from live_offers(${brandId}, ${NOW}) o
      where exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = ${large.id}) order by ${orders[sort]}`.execute(
        db,
      );
      const wanted = all.rows.map(({ id }) => id);
      expect(wanted.length).toBeGreaterThan(1_000);
      for (const page of [1, 2, 3, 4, 40])
        expect(await idsOn({ sort, page }), `page ${page}`).toEqual(wanted.slice((page - 1) * 24, page * 24));
      expect(await pageOf({ sort })).toMatchObject({ total: wanted.length, pageCount: Math.ceil(wanted.length / 24) });
    },
  );

  test("D5 a kind that has few offers is filtered too, and every kind is counted", async () => {
    const whole = await pageOf({});
    const codes = await pageOf({ kind: "code" });
    expect(codes!.kinds).toEqual(whole!.kinds);
    expect(codes!.total).toBe(whole!.kinds.code);
    expect(codes!.offers.every(({ kind }) => kind === "code")).toBe(true);
  });

  test("D4 an offer that was withdrawn is not listed, though the counts follow with the next indexing", async () => {
    const before = await pageOf({});
    const [first] = before!.offers;
    await sql`update offers set status = 'withdrawn' where public_id = ${first!.publicId}`.execute(db);
    const after = await pageOf({});
    expect(after!.offers.map(({ publicId }) => publicId)).not.toContain(first!.publicId);
    expect(after!.offers).toHaveLength(24);
    expect(after!.total).toBe(before!.total);
    await indexCatalogue(db, { now: NOW });
    expect((await pageOf({}))!.total).toBe(before!.total - 1);
  });

  test("D4 a category of hundreds that has much of the catalogue is read in the same way, one of tens is counted", async () => {
    const [medium, few] = [await insertCategory(db, "Hundreds"), await insertCategory(db, "Tens")];
    for (const [category, last] of [
      [medium, 500],
      [few, 100],
    ] as const)
      await sql`insert into offer_categories (offer_id, category_id)
        select id, ${category.id} from offers where slug like 'many-%' and substr(slug, 6)::integer <= ${last}`.execute(
        db,
      );
    await indexCatalogue(db, { now: NOW });
    const { rows } = await sql<{ id: string }>`select o.public_id as id from live_offers(${brandId}, ${NOW}) o
      join offer_categories oc on oc.offer_id = o.id and oc.category_id = ${medium.id} order by o.popularity desc, o.public_id`.execute(
      db,
    );
    const wanted = rows.map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(240);
    expect(wanted.length).toBeLessThan(1_000);
    for (const page of [1, 2, 3, 4])
      expect(await idsOn({ slug: medium.slug, page })).toEqual(wanted.slice((page - 1) * 24, page * 24));
    const totals = async () =>
      await Promise.all([medium, few].map(async ({ slug }) => (await pageOf({ slug }))!.total));
    const [before = 0, beforeFew = 0] = await totals();
    expect(before).toBe(wanted.length);
    await sql`update offers set status = 'withdrawn' where public_id = ${(await idsOn({ slug: few.slug }))[0]}`.execute(
      db,
    );
    expect(await totals()).toEqual([before, beforeFew - 1]);
    await indexCatalogue(db, { now: NOW });
    expect(await totals()).toEqual([before - 1, beforeFew - 1]);
  });

  test("D4 counts that are out of date promise no page that is not there", async () => {
    await sql`update offers set status = 'withdrawn' where slug like 'many-%' and public_id not in (select public_id from offers where slug like 'many-%11')`.execute(
      db,
    );
    const page = await pageOf({ page: 3 });
    const live = await sql<{ n: number }>`select count(*)::integer as n from live_offers(${brandId}, ${NOW}) o
      join offer_categories oc on oc.offer_id = o.id and oc.category_id = ${large.id}`.execute(db);
    expect(page!.total).toBe(live.rows[0]!.n);
    expect(page!.page).toBe(Math.min(3, Math.ceil(live.rows[0]!.n / 24)));
  });
});
