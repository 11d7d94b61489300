import { sql } from "kysely";
import type { Trx } from "@farthing/db/client.ts";
import { touchedBy } from "./merge-editorial-retailers.server.ts";

/** Writes the club's own facts about offers, where they differ. @returns ids of the programmes changed */
export async function mergeEditorialOffers(trx: Trx): Promise<Set<string>> {
  return touchedBy(trx, [offers, ...categoryStatements, ...brandStatements, ...variantStatements, codes]);
}

/** An offer in store is not sold through a network, so it has no programme. What an operator has set stays (`kept`). */
const offers = sql<{ id: string }>`
  update offers o set
    kind = w.kind, headline = w.headline, exclusions = w.exclusions, popularity = w.popularity, adults_only = w.adults_only,
    programme_id = w.programme_id, updated_at = now()
  from (
    select *, case when kind = 'in_store' then null else own_programme_id end as programme_id from (
      select o.id, s.network_programme_id, s.programme_id as own_programme_id, ${unlessKept("kind")}, ${unlessKept("headline")},
        ${unlessKept("exclusions")}, ${unlessKept("popularity")}, ${unlessKept("adults_only")}
      from staged_offers s join offers o on o.id = s.offer_id) stated) w
  where o.id = w.id
    and (o.kind, o.headline, o.exclusions, o.popularity, o.adults_only, o.programme_id)
      is distinct from (w.kind, w.headline, w.exclusions, w.popularity, w.adults_only, w.programme_id)
  returning w.network_programme_id as id`;

function unlessKept(column: string) {
  const name = sql.id(column);
  return sql`case when ${sql.lit(column)} = any(o.kept) then o.${name} else coalesce(s.${name}, o.${name}) end as ${name}`;
}

/** Puts each offer of the file's retailers in its own categories, or else in its retailer's. */
const wantedCategories = sql`
  select s.offer_id, c.id as category_id
  from staged_offer_categories w
  join staged_offers s on s.network_offer_id = w.network_offer_id
  join offers o on o.id = s.offer_id and 'categories' <> all(o.kept)
  join categories c on c.slug = w.category
  union
  select o.id, rc.category_id
  from staged_retailers s
  join offers o on o.retailer_id = s.retailer_id
  join retailer_categories rc on rc.retailer_id = s.retailer_id
  where 'categories' <> all(o.kept) and o.network_id is not null and not exists (
    select 1 from staged_offer_categories w join staged_offers so on so.network_offer_id = w.network_offer_id where so.offer_id = o.id)`;

const categoryStatements = [
  sql<{ id: string }>`
    with wanted as materialized (${wantedCategories})
    delete from offer_categories oc using offers o, staged_retailers s
    where oc.offer_id = o.id and o.retailer_id = s.retailer_id and 'categories' <> all(o.kept) and o.network_id is not null
      and (oc.offer_id, oc.category_id) not in (select offer_id, category_id from wanted)
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as materialized (${wantedCategories}), added as (
      insert into offer_categories (offer_id, category_id)
      select offer_id, category_id from wanted on conflict do nothing
      returning offer_id)
    select distinct s.network_programme_id as id
    from added join offers o on o.id = added.offer_id join staged_retailers s on s.retailer_id = o.retailer_id`,
];

const wantedBrands = sql`
  select s.offer_id, b.id as brand_id
  from staged_offer_brands w join staged_offers s on s.network_offer_id = w.network_offer_id join brands b on b.slug = w.brand
  join offers o on o.id = s.offer_id and 'brands' <> all(o.kept)`;

/** Writes the only brands that show an offer. An offer that the file describes without brands is shown by all again. */
const brandStatements = [
  sql<{ id: string }>`
    with wanted as materialized (${wantedBrands})
    delete from offer_brands ob using staged_offers s join offers o on o.id = s.offer_id and 'brands' <> all(o.kept)
    where ob.offer_id = s.offer_id and (ob.offer_id, ob.brand_id) not in (select offer_id, brand_id from wanted)
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as materialized (${wantedBrands}), added as (
      insert into offer_brands (offer_id, brand_id) select offer_id, brand_id from wanted on conflict do nothing returning offer_id)
    select s.network_programme_id as id from added join staged_offers s on s.offer_id = added.offer_id`,
];

const wantedVariants = sql`
  select v.id, s.offer_id, v.label, v.landing_url, v.position, s.network_programme_id
  from staged_variants v join staged_offers s on s.network_offer_id = v.network_offer_id
  join offers o on o.id = s.offer_id and 'variants' <> all(o.kept)`;

/** Upserts variants by label; where the file lists an offer's variants, others are deleted, except those with codes: members may hold them. */
const variantStatements = [
  sql<{ id: string }>`
    with wanted as materialized (${wantedVariants})
    delete from offer_variants v using staged_offers s join offers o on o.id = s.offer_id and 'variants' <> all(o.kept)
    where v.offer_id = s.offer_id and s.has_variants and not exists (select 1 from wanted w where w.offer_id = v.offer_id and w.label = v.label)
      and not exists (select 1 from offer_codes k where k.offer_id = v.offer_id and k.variant_id = v.id)
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as materialized (${wantedVariants})
    update offer_variants v set landing_url = w.landing_url, position = w.position
    from wanted w where w.offer_id = v.offer_id and w.label = v.label and (v.landing_url, v.position) is distinct from (w.landing_url, w.position)
    returning w.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as materialized (${wantedVariants}), added as (
      insert into offer_variants (id, offer_id, label, landing_url, position)
      select id, offer_id, label, landing_url, position from wanted w
      where not exists (select 1 from offer_variants v where v.offer_id = w.offer_id and v.label = w.label)
      returning id)
    select w.network_programme_id as id from added join wanted w on w.id = added.id`,
];

/** Adds codes to a pool and never removes any: a code may have been given to a member. A code is in an offer once, for whichever variant. */
const codes = sql<{ id: string }>`
  with added as (
    insert into offer_codes (id, offer_id, code_kind, code)
    select c.id, s.offer_id, 'pool', c.code
    from staged_codes c join staged_offers s on s.network_offer_id = c.network_offer_id
    where not exists (select 1 from offer_codes k where k.offer_id = s.offer_id and k.code = c.code)
    on conflict do nothing
    returning offer_id)
  select distinct s.network_programme_id as id from added join staged_offers s on s.offer_id = added.offer_id`;
