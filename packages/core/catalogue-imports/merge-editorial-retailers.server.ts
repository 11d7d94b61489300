import { sql, type RawBuilder } from "kysely";
import type { Trx } from "@farthing/db/client.ts";
import { lockCategories } from "../catalogue/categories/operations.server.ts";
import { RELEASED } from "../catalogue/rate-tiers/kept-marks.ts";

/** Runs statements that each return the ids of the programmes they change. */
export async function touchedBy(trx: Trx, statements: readonly RawBuilder<{ id: string }>[]): Promise<Set<string>> {
  const touched = new Set<string>();
  for (const statement of statements) {
    const { rows } = await statement.execute(trx);
    for (const row of rows) touched.add(row.id);
  }
  return touched;
}

/** Upserts categories by slug; never removes one. */
export async function mergeCategories(trx: Trx): Promise<{ created: number; updated: number }> {
  await lockCategories(trx);
  const updated = await sql`
    update categories c set name = s.name, body = s.body, position = s.position, updated_at = now()
    from staged_categories s where c.slug = s.slug and (c.name, c.body, c.position) is distinct from (s.name, s.body, s.position)`.execute(
    trx,
  );
  const created = await sql`
    insert into categories (id, slug, name, body, position)
    select id, slug, name, body, position from staged_categories s where not exists (select 1 from categories c where c.slug = s.slug)`.execute(
    trx,
  );
  return { created: Number(created.numAffectedRows ?? 0), updated: Number(updated.numAffectedRows ?? 0) };
}

/** Writes the club's own facts about retailers, where they differ. @returns ids of the programmes changed */
export async function mergeEditorialRetailers(trx: Trx): Promise<Set<string>> {
  // Two retailers may swap slugs: those in the way are renamed first.
  await sql`update retailers r set slug = 'moving-' || r.id from staged_retailers s
    where r.id = s.retailer_id and r.slug <> s.slug and exists (select 1 from staged_retailers e where e.slug = r.slug)`.execute(
    trx,
  );
  const touched = await touchedBy(trx, [...retailerStatements, ...categoryStatements]);
  await lockTiers.execute(trx);
  const others = [...tierStatements, ...boostStatements, otherProgrammes, ...brandStatements];
  return new Set([...touched, ...(await touchedBy(trx, others))]);
}

const retailerStatements = [
  sql<{ id: string }>`
    update retailers r set slug = s.slug, name = s.name, short_info = s.short_info, long_info = s.long_info, terms = s.terms, status = s.status,
      accepts_claims = s.accepts_claims, adults_only = s.adults_only, popularity = s.popularity,
      tracks_within_days_min = s.tracks_min, tracks_within_days_max = s.tracks_max,
      confirms_within_days_min = s.confirms_min, confirms_within_days_max = s.confirms_max, confirms_after = s.confirms_after, updated_at = now()
    from staged_retailers s
    where r.id = s.retailer_id
      and (r.slug, r.name, r.short_info, r.long_info, r.terms, r.status, r.accepts_claims, r.adults_only, r.popularity, r.tracks_within_days_min,
          r.tracks_within_days_max, r.confirms_within_days_min, r.confirms_within_days_max, r.confirms_after)
        is distinct from (s.slug, s.name, s.short_info, s.long_info, s.terms, s.status, s.accepts_claims, s.adults_only, s.popularity, s.tracks_min,
          s.tracks_max, s.confirms_min, s.confirms_max, s.confirms_after)
    returning s.network_programme_id as id`,
];

const wantedCategories = sql`
  select s.retailer_id, c.id as category_id, w.is_main, s.network_programme_id
  from staged_retailer_categories w
  join staged_retailers s on s.network_programme_id = w.network_programme_id and s.retailer_id is not null
  join categories c on c.slug = w.category`;

const categoryStatements = [
  sql<{ id: string }>`
    with wanted as (${wantedCategories})
    delete from retailer_categories rc using staged_retailers s
    where rc.retailer_id = s.retailer_id
      and not exists (select 1 from wanted w where (w.retailer_id, w.category_id, w.is_main) = (rc.retailer_id, rc.category_id, rc.is_main))
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as (${wantedCategories}), added as (
      insert into retailer_categories (retailer_id, category_id, is_main)
      select retailer_id, category_id, is_main from wanted w
      where not exists (select 1 from retailer_categories rc where (rc.retailer_id, rc.category_id) = (w.retailer_id, w.category_id))
      returning retailer_id)
    select s.network_programme_id as id from added join staged_retailers s on s.retailer_id = added.retailer_id`,
];

/** What an operator has set of a rate stays (`kept`). */
const keptBasis = sql`case when 'basis' = any(t.kept) then t.basis else coalesce(n.basis, t.basis) end`;
const keptCap = sql`case when 'cap_pence' = any(t.kept) then t.cap_pence else n.cap_pence end`;

/** The basis of a rate where no file has any: the default of the column. */
const USUAL_BASIS = "on the price without VAT and delivery";
const isReleased = (name: string) => sql`${`${RELEASED}${name}`} = any(t.kept)`;
const releasedMark = sql`starts_with(mark, ${RELEASED})`;

const tierStatements = [
  // What operators have given back is the file's again, also where it says nothing of it.
  sql<{ id: string }>`
    update rate_tiers t set updated_at = now(), kept = array(select mark from unnest(t.kept) mark where not ${releasedMark}),
      basis = case when ${isReleased("basis")} then ${USUAL_BASIS} else t.basis end,
      cap_pence = case when ${isReleased("cap_pence")} then null else t.cap_pence end
    from staged_retailers s
    where t.programme_id = s.programme_id and exists (select from unnest(t.kept) mark where ${releasedMark})
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    update rate_tiers t set basis = ${keptBasis}, cap_pence = ${keptCap}, updated_at = now()
    from staged_tier_notes n join staged_retailers s on s.network_programme_id = n.network_programme_id
    where t.programme_id = s.programme_id and t.network_group_id = n.group_id
      and (t.basis, t.cap_pence) is distinct from (${keptBasis}, ${keptCap})
    returning s.network_programme_id as id`,
];

/** Waits for operators who are changing rates, and lets those who come wait: the statements after it see what was set. */
const lockTiers = sql`
  select from rate_tiers t join staged_retailers s on t.programme_id = s.programme_id order by t.id for no key update of t`;

const wantedBoosts = sql`
  select b.id, t.id as rate_tier_id, b.rate_bp, b.rate_pence, b.starts_at, b.ends_at, b.network_programme_id
  from staged_boosts b
  join staged_retailers s on s.network_programme_id = b.network_programme_id
  join rate_tiers t on t.programme_id = s.programme_id and t.network_group_id = b.group_id and 'boosts' <> all(t.kept)`;

const boostStatements = [
  sql<{ id: string }>`
    with wanted as (${wantedBoosts})
    delete from boosts b using rate_tiers t, staged_retailers s
    where b.rate_tier_id = t.id and t.programme_id = s.programme_id and 'boosts' <> all(t.kept)
      and not exists (select 1 from wanted w where w.rate_tier_id = b.rate_tier_id and w.starts_at = b.starts_at)
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as (${wantedBoosts})
    update boosts b set member_rate_bp = w.rate_bp, member_rate_pence = w.rate_pence, ends_at = w.ends_at
    from wanted w where w.rate_tier_id = b.rate_tier_id and w.starts_at = b.starts_at
      and (b.member_rate_bp, b.member_rate_pence, b.ends_at) is distinct from (w.rate_bp, w.rate_pence, w.ends_at)
    returning w.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as (${wantedBoosts}), added as (
      insert into boosts (id, rate_tier_id, member_rate_bp, member_rate_pence, starts_at, ends_at)
      select id, rate_tier_id, rate_bp, rate_pence, starts_at, ends_at from wanted w
      where not exists (select 1 from boosts b where b.rate_tier_id = w.rate_tier_id and b.starts_at = w.starts_at)
      returning id)
    select w.network_programme_id as id from added join wanted w on w.id = added.id`,
];

/** Writes a retailer's programmes on further networks: they are known, but do not build its links. */
const otherProgrammes = sql<{ id: string }>`
  with added as (
    insert into programmes (id, network_id, network_programme_id, retailer_id, name, currency, status, is_preferred, landing_url, valid_domains)
    select o.id, n.id, o.other_id, own.retailer_id, o.name, o.currency, 'joined', false, o.landing_url, o.valid_domains
    from staged_other_programmes o
    join staged_retailers s on s.network_programme_id = o.network_programme_id
    join programmes own on own.id = s.programme_id
    join networks n on n.slug = o.network
    where not exists (select 1 from programmes p where p.network_id = n.id and p.network_programme_id = o.other_id)
    returning id)
  select o.network_programme_id as id from added join staged_other_programmes o on o.id = added.id`;

const wantedBrands = sql`
  select b.id as brand_id, s.retailer_id, s.network_programme_id,
    exists (select 1 from staged_featured f where f.network_programme_id = s.network_programme_id and f.brand = b.slug) as is_featured
  from staged_retailers s cross join staged_brands sb join brands b on b.slug = sb.slug
  where s.retailer_id is not null
    and not exists (select 1 from staged_hidden h where h.network_programme_id = s.network_programme_id and h.brand = b.slug)`;

/** Writes what the brands that the file names show; other brands keep their own choice. */
const brandStatements = [
  sql<{ id: string }>`
    with wanted as materialized (${wantedBrands})
    delete from brand_retailers br using staged_retailers s, brands b, staged_brands sb
    where br.retailer_id = s.retailer_id and br.brand_id = b.id and b.slug = sb.slug
      and not exists (select 1 from wanted w where w.brand_id = br.brand_id and w.retailer_id = br.retailer_id)
    returning s.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as materialized (${wantedBrands})
    update brand_retailers br set is_featured = w.is_featured
    from wanted w where w.brand_id = br.brand_id and w.retailer_id = br.retailer_id and w.is_featured <> br.is_featured
    returning w.network_programme_id as id`,
  sql<{ id: string }>`
    with wanted as materialized (${wantedBrands}), added as (
      insert into brand_retailers (brand_id, retailer_id, is_featured)
      select brand_id, retailer_id, is_featured from wanted w
      where not exists (select 1 from brand_retailers br where br.brand_id = w.brand_id and br.retailer_id = w.retailer_id)
      returning retailer_id)
    select distinct s.network_programme_id as id from added join staged_retailers s on s.retailer_id = added.retailer_id`,
];
