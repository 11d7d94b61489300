import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { SyntheticCatalogue } from "./synthetic-catalogue.ts";

const BATCH = 5_000;

/** Writes a synthetic catalogue and returns the brands' ids: eight brands, each showing seven of eight retailers; one programme and two rates per retailer. */
export async function loadCatalogue(db: Db, catalogue: SyntheticCatalogue, now: Date): Promise<string[]> {
  const brandIds = Array.from({ length: 8 }, newId);
  const networkId = newId();
  for (const [index, id] of brandIds.entries()) {
    await sql`insert into brands (id, slug, name, strapline, audience, theme, affinity_id, support_email)
      values (${id}, ${`brand${index}`}, ${`Brand ${index}`}, '', 'people', 'plain', ${`b${index}`}, 'help@brand.example')`.execute(
      db,
    );
  }
  await sql`insert into networks (id, slug, name) values (${networkId}, 'bench', 'Bench')`.execute(db);
  await insertAll(
    db,
    catalogue.categories.map((category, position) => ({ ...category, position })),
    (rows) => sql`
    insert into categories (id, slug, name, position) select id, slug, name, position
    from jsonb_to_recordset(${rows}::jsonb) as row (id uuid, slug text, name text, position integer)`,
  );
  const retailers = catalogue.retailers.map((retailer, index) => ({
    ...retailer,
    category: catalogue.categories[retailer.category]!.id,
    programme: newId(),
    brands: brandIds.filter((_, brand) => index % 8 !== brand),
  }));
  await insertAll(
    db,
    retailers,
    (rows) => sql`
    with input as (select * from jsonb_to_recordset(${rows}::jsonb)
        as row (id uuid, slug text, name text, "shortInfo" text, popularity integer, category uuid, programme uuid, brands jsonb)),
      r as (insert into retailers (id, slug, name, short_info, homepage_url, popularity, tracks_within_days_min, tracks_within_days_max,
          confirms_within_days_min, confirms_within_days_max)
        select id, slug, name, "shortInfo", 'https://shop.example/', popularity, 1, 3, 30, 60 from input returning id),
      c as (insert into retailer_categories (retailer_id, category_id, is_main) select id, category, true from input),
      b as (insert into brand_retailers (brand_id, retailer_id) select jsonb_array_elements_text(brands)::uuid, id from input),
      p as (insert into programmes (id, network_id, network_programme_id, retailer_id, name, status, landing_url)
        select programme, ${networkId}, id::text, id, name, 'joined', 'https://shop.example/' from input),
      t as (insert into rate_tiers (id, programme_id, network_group_id, label, rate_kind, member_rate_bp, position)
        select gen_random_uuid(), programme, bp::text, 'Everything', 'percent', bp, bp from input, unnest(array[200, 600]) as bp)
    select count(*) from r`,
  );
  const offers = catalogue.offers.map((offer) => ({
    ...offer,
    retailer: retailers[offer.retailer]!.id,
    programme: retailers[offer.retailer]!.programme,
    category: retailers[offer.retailer]!.category,
  }));
  await insertAll(
    db,
    offers,
    (rows) => sql`
    with input as (select * from jsonb_to_recordset(${rows}::jsonb) as row (id uuid, "publicId" text, retailer uuid, programme uuid, category uuid,
        title text, headline text, description text, popularity integer, "endsInDays" integer)),
      o as (insert into offers (id, public_id, slug, retailer_id, programme_id, network_id, network_offer_id, kind, title, headline, description,
          landing_url, starts_at, ends_at, popularity)
        select id, "publicId", 'offer', retailer, programme, ${networkId}, "publicId", 'code', title, headline, description, 'https://shop.example/',
          ${now}::timestamptz - ("endsInDays" || ' days')::interval, ${now}::timestamptz + ("endsInDays" || ' days')::interval, popularity from input)
    insert into offer_categories (offer_id, category_id) select id, category from input`,
  );
  await sql`analyze`.execute(db);
  return brandIds;
}

async function insertAll(
  db: Db,
  rows: readonly object[],
  insert: (json: string) => ReturnType<typeof sql>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await insert(JSON.stringify(rows.slice(from, from + BATCH))).execute(db);
}
