import { sql, type RawBuilder } from "kysely";
import type { Trx } from "@farthing/db/client.ts";
import { editorialBrand, editorialCategory, editorialRetailer } from "./editorial-schema.ts";
import type { FileReport, Network } from "./import-report.ts";
import { mergeEditorialOffers } from "./merge-editorial-offers.server.ts";
import { mergeCategories, mergeEditorialRetailers } from "./merge-editorial-retailers.server.ts";
import { readRecords, recordId, type ReadContext } from "./read-records.server.ts";
import { settledTime } from "./staging.server.ts";
import { createEditorialStaging } from "./stage-editorial.server.ts";

/**
 * Imports the club's own file about a network's retailers. The programmes and promotions that it refers to must be known already or be part of the
 * same import.
 */
export async function importEditorial(trx: Trx, network: Network, context: ReadContext): Promise<FileReport> {
  const staging = await createEditorialStaging(trx);
  const { rows, hash } = await readRecords(context, {
    brands: {
      schema: editorialBrand,
      idOf: (value) => (typeof value === "string" ? value : null),
      store: (slug, place) => staging.addBrand(slug, place),
    },
    categories: {
      schema: editorialCategory,
      idOf: (value) => recordId(value, "slug"),
      store: (category, place) => staging.addCategory(category, place),
    },
    retailers: {
      schema: editorialRetailer,
      idOf: (value) => recordId(value, "networkProgrammeId"),
      store: (retailer, place) => staging.addRetailer(retailer, place),
    },
  });
  await staging.finish();
  const report = {
    kind: "editorial" as const,
    source: context.source.name,
    hash,
    read: rows,
    created: 0,
    updated: 0,
    withdrawn: 0,
    warnings: [],
  };
  if (context.problems.count > 0) return report;
  await resolveKeys(trx, network);
  await settleBoosts(trx);
  await checkReferences(trx, network, context);
  if (context.problems.count > 0) return report;

  const warnings = await leaveMergedOut(trx, context);
  const categories = await mergeCategories(trx);
  const touched = new Set([...(await mergeEditorialRetailers(trx)), ...(await mergeEditorialOffers(trx))]);
  return { ...report, created: categories.created, updated: categories.updated + touched.size, warnings };
}

/** Returns a note for each retailer that the file describes at an address whose record was merged into another (A2). */
async function leaveMergedOut(trx: Trx, { source }: ReadContext): Promise<string[]> {
  const { rows } = await sql<{ line: number; slug: string; place: string }>`
    select s.line, s.slug, place.slug as place from staged_retailers s
    join programmes p on p.id = s.programme_id join retailers place on place.id = p.retailer_id
    where s.retailer_id is null order by s.line, s.record`.execute(trx);
  return rows.map(
    ({ line, slug, place }) =>
      `${source.name}, line ${line}: "${slug}" was merged into "${place}". What the file says of the retailer itself is left out; its rates, boosts and offers are imported`,
  );
}

/** Adds our own ids to the staged rows, once, so that later statements join on them. */
async function resolveKeys(trx: Trx, network: Network): Promise<void> {
  await sql`alter table staged_retailers add column programme_id uuid, add column retailer_id uuid`.execute(trx);
  await sql`alter table staged_offers add column offer_id uuid, add column programme_id uuid`.execute(trx);
  await sql`update staged_retailers s set programme_id = p.id, retailer_id = p.retailer_id
    from programmes p where p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id`.execute(
    trx,
  );
  // A retailer that was merged does not write over the one that stays; what belongs to its programme is imported.
  await sql`update staged_retailers s set retailer_id = null
    from retailers merged where merged.slug = s.slug and merged.merged_into_id = s.retailer_id`.execute(trx);
  await sql`update staged_offers s set offer_id = o.id, programme_id = p.id
    from offers o, programmes p
    where o.network_id = ${network.id} and o.network_offer_id = s.network_offer_id
      and p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id and p.retailer_id = o.retailer_id`.execute(
    trx,
  );
  await sql`create index on staged_retailers (retailer_id)`.execute(trx);
  await sql`create index on staged_offers (network_offer_id)`.execute(trx);
  await sql`analyze staged_retailers`.execute(trx);
  await sql`analyze staged_offers`.execute(trx);
}

/** The file is the club's own: a time without an offset is in London. */
const TIME_ZONE = "Europe/London";

async function settleBoosts(trx: Trx): Promise<void> {
  await sql`alter table staged_boosts add column starts_at timestamptz, add column ends_at timestamptz`.execute(trx);
  await sql`update staged_boosts set
    starts_at = ${settledTime("starts_text", TIME_ZONE)}, ends_at = ${settledTime("ends_text", TIME_ZONE)}`.execute(
    trx,
  );
}

interface Reference {
  line: number;
  record: number;
  id: string;
  key: string;
}

/** Adds a problem, with its line, for each reference of the file to something that does not exist. */
async function checkReferences(trx: Trx, network: Network, context: ReadContext): Promise<void> {
  const knownCategory = sql`select slug from categories union all select slug from staged_categories`;
  const retailerIs = sql`network_programme_id as id`;
  const checks: { field: string; message: (key: string) => string; query: RawBuilder<Reference> }[] = [
    {
      field: "networkProgrammeId",
      message: (key) => `no programme ${key} is known on ${network.slug}; import the programmes file with it first`,
      query: sql`select line, record, ${retailerIs}, network_programme_id as key from staged_retailers where programme_id is null`,
    },
    {
      field: "slug",
      message: (key) => `"${key}" is already the address of another retailer; choose another`,
      query: sql`select line, record, ${retailerIs}, slug as key
          from (select *, row_number() over (partition by slug order by line, record) as nth from staged_retailers) s where nth > 1
        union all
        select s.line, s.record, s.network_programme_id, s.slug from staged_retailers s
          join retailers r on r.slug = s.slug and r.id <> s.retailer_id
          left join staged_retailers described on described.retailer_id = r.id
          where described.retailer_id is null`,
    },
    {
      field: "networkProgrammeId",
      message: (key) =>
        `programme ${key} belongs to a retailer that the file already describes; describe each retailer once`,
      query: sql`select line, record, ${retailerIs}, network_programme_id as key
        from (select *, row_number() over (partition by retailer_id order by line, record) as nth from staged_retailers) s
        where nth > 1 and retailer_id is not null`,
    },
    {
      field: "categories",
      message: (key) => `there is no category "${key}"; add it to the file's categories or correct it`,
      query: sql`select line, record, ${retailerIs}, category as key from staged_retailer_categories where category not in (${knownCategory})
        union all select line, record, network_offer_id, category from staged_offer_categories where category not in (${knownCategory})`,
    },
    {
      field: "categories",
      message: (key) => `category "${key}" is listed twice; remove one of the two`,
      query: sql`select min(line) as line, min(record) as record, ${retailerIs}, category as key from staged_retailer_categories
        group by network_programme_id, category having count(*) > 1`,
    },
    {
      field: "brands",
      message: (key) => `there is no brand "${key}"; add the brand first or correct it`,
      query: sql`with named as (
          select line, record, slug as id, slug as brand from staged_brands
          union all select line, record, network_programme_id, brand from staged_hidden
          union all select line, record, network_programme_id, brand from staged_featured
          union all select line, record, network_offer_id, brand from staged_offer_brands)
        select line, record, id, brand as key from named where brand not in (select slug from brands)`,
    },
    {
      field: "groupId",
      message: (key) =>
        `the programme has no commission group ${key}; correct it or import the programmes file with it first`,
      query: sql`with named as (
          select line, record, network_programme_id, group_id from staged_tier_notes
          union all select line, record, network_programme_id, group_id from staged_boosts)
        select n.line, n.record, n.network_programme_id as id, n.group_id as key from named n
        join staged_retailers s on s.network_programme_id = n.network_programme_id
        where not exists (select 1 from rate_tiers t where t.programme_id = s.programme_id and t.network_group_id = n.group_id)`,
    },
    {
      field: "tiers",
      message: (key) => `group ${key} is described twice; remove one of the two`,
      query: sql`select min(line) as line, min(record) as record, ${retailerIs}, group_id as key from staged_tier_notes
        group by network_programme_id, group_id having count(*) > 1`,
    },
    {
      field: "boosts",
      message: (key) => `the boost of group ${key} ends before it starts; correct startsAt or endsAt`,
      query: sql`select line, record, ${retailerIs}, group_id as key from staged_boosts where ends_at <= starts_at`,
    },
    {
      field: "boosts",
      message: (key) => `group ${key} has two boosts that start at the same time; remove one of the two`,
      query: sql`select min(line) as line, min(record) as record, ${retailerIs}, group_id as key from staged_boosts
        group by network_programme_id, group_id, starts_at having count(*) > 1`,
    },
    {
      field: "boosts",
      message: (key) =>
        `the boost of group ${key} is in the other unit: a percentage tier needs memberRateBp, a fixed one memberRatePence`,
      query: sql`select b.line, b.record, b.network_programme_id as id, b.group_id as key from staged_boosts b
        join staged_retailers s on s.network_programme_id = b.network_programme_id
        join rate_tiers t on t.programme_id = s.programme_id and t.network_group_id = b.group_id
        where (t.rate_kind = 'percent') <> (b.rate_bp is not null)`,
    },
    {
      field: "otherProgrammes",
      message: (key) => `there is no network "${key}", or it is this file's own; correct it`,
      query: sql`select line, record, ${retailerIs}, network as key from staged_other_programmes
        where network not in (select slug from networks) or network = ${network.slug}`,
    },
    {
      field: "otherProgrammes",
      message: (key) => `programme ${key} of the other network belongs to another retailer; correct the id`,
      query: sql`select o.line, o.record, o.network_programme_id as id, o.other_id as key from staged_other_programmes o
        join staged_retailers s on s.network_programme_id = o.network_programme_id
        join networks n on n.slug = o.network
        join programmes p on p.network_id = n.id and p.network_programme_id = o.other_id
        join programmes own on own.id = s.programme_id
        where p.retailer_id <> own.retailer_id`,
    },
    {
      field: "otherProgrammes",
      message: (key) => `programme ${key} of the other network is named twice; remove one of the two`,
      query: sql`select min(line) as line, min(record) as record,
          (array_agg(network_programme_id order by line, record))[1] as id, other_id as key
        from staged_other_programmes group by network, other_id having count(*) > 1`,
    },
    {
      field: "offers",
      message: (key) =>
        `no promotion ${key} of this retailer is known on ${network.slug}; import the promotions file with it first`,
      query: sql`select line, record, ${retailerIs}, network_offer_id as key from staged_offers where offer_id is null`,
    },
    {
      field: "offers",
      message: (key) => `offer ${key} is described twice; remove one of the two`,
      query: sql`select min(line) as line, min(record) as record, min(network_programme_id) as id, network_offer_id as key
        from staged_offers group by network_offer_id having count(*) > 1`,
    },
    {
      field: "offers.variants",
      message: (key) => `offer ${key} has two variants of the same label; rename one`,
      query: sql`select min(line) as line, min(record) as record, min(network_programme_id) as id, network_offer_id as key
        from staged_variants group by network_offer_id, label having count(*) > 1`,
    },
    {
      field: "offers.variants",
      message: (key) => `${key}, so it can be renamed in the admin but not removed; put it back`,
      query: sql`select s.line, s.record, s.network_programme_id as id,
          format('"%s" of offer %s has %s', v.label, s.network_offer_id,
            case held.codes when 1 then '1 code' else held.codes || ' codes' end) as key
        from staged_offers s join offers o on o.id = s.offer_id and 'variants' <> all(o.kept)
        join offer_variants v on v.offer_id = o.id
        cross join lateral (select count(*) as codes from offer_codes k where k.offer_id = o.id and k.variant_id = v.id) held
        where s.has_variants and held.codes > 0
          and not exists (select 1 from staged_variants w where w.network_offer_id = s.network_offer_id and w.label = v.label)
        order by s.line, s.record, v.position, v.label`,
    },
    {
      field: "offers.codePool",
      message: (key) => `offer ${key} has the same code twice in its pool; remove one of the two`,
      query: sql`select min(line) as line, min(record) as record, min(network_programme_id) as id, network_offer_id as key
        from staged_codes group by network_offer_id, code having count(*) > 1`,
    },
  ];
  for (const { field, message, query } of checks) {
    const { rows } = await query.execute(trx);
    for (const row of rows) {
      context.problems.add({
        source: context.source.name,
        line: row.line,
        index: row.record,
        id: row.id,
        field,
        message: message(row.key),
      });
    }
  }
}
