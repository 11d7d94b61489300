import { sql } from "kysely";
import type { Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { FeedPromotion } from "./feed.ts";
import { headlineOf } from "./headline.ts";
import { manyWithdrawn, type FileReport, type Network } from "./import-report.ts";
import type { FeedAdapter } from "./provider.ts";
import { misleadingClaim } from "./misleading-claim.ts";
import { readRecords, recordId, type ReadContext, type RecordPlace } from "./read-records.server.ts";
import { slugOf } from "./slug.ts";
import { settledTime, StagingTable } from "./staging.server.ts";

type StagedPromotion = {
  line: number;
  record: number;
  id: string;
  code_id: string;
  network_offer_id: string;
  network_programme_id: string;
  kind: string;
  title: string;
  slug: string;
  headline: string;
  description: string;
  terms: string;
  landing_url: string | null;
  starts_text: string;
  ends_text: string | null;
  code: string | null;
};

/**
 * Imports a network's promotions: each becomes an offer of the programme's retailer. The file owns title, description, terms, address, dates and
 * the shared code. The kind is the file's too, unless the club has said that an offer is in store, app-exclusive or a gift card. A new offer's
 * headline is taken from its title.
 * @param full the file is the network's whole list: offers that it lacks are withdrawn, except those that have ended anyway. More than a few are a problem
 * unless `withdraw`, the number that somebody has confirmed, is theirs; in a dry run the report says so alone.
 */
export async function importPromotions(
  trx: Trx,
  network: Network,
  { promotions: feed, timeZone }: FeedAdapter,
  context: ReadContext,
  { full, now, withdraw, dryRun }: { full: boolean; now: Date; withdraw: number | null; dryRun: boolean },
): Promise<FileReport> {
  const staged = await StagingTable.create<StagedPromotion>(trx, "staged_promotions", {
    line: "integer",
    record: "integer",
    id: "uuid",
    code_id: "uuid",
    network_offer_id: "text",
    network_programme_id: "text",
    kind: "text",
    title: "text",
    slug: "text",
    headline: "text",
    description: "text",
    terms: "text",
    landing_url: "text",
    starts_text: "text",
    ends_text: "text",
    code: "text",
  });
  const warnings: string[] = [];
  const reader = {
    schema: feed.schema,
    idOf: (value: unknown) => recordId(value, feed.idField),
    async store(promotion: FeedPromotion, place: RecordPlace) {
      const claim = misleadingClaim([promotion.title, promotion.description, promotion.terms]);
      // The words are the network's and the club cannot correct them, so the others are imported without this one.
      if (claim)
        warnings.push(
          `${context.source.name}, line ${place.line}, id ${promotion.networkOfferId}: ${claim}. The promotion is left out`,
        );
      else await staged.add(stagedPromotion(promotion, place));
    },
  };
  const { rows, hash } = await readRecords(
    { ...context, csv: feed.csv, read: feed.read },
    Object.fromEntries(feed.lists.map((list) => [list, reader])),
  );
  await staged.finish();
  await settleTimes(trx, timeZone);
  await checkPromotions(trx, network, feed.fieldNames, context);
  const report = {
    kind: "promotions" as const,
    source: context.source.name,
    hash,
    read: rows,
    created: 0,
    updated: 0,
    withdrawn: 0,
    warnings,
  };
  if (context.problems.count > 0) return report;

  const created = await createOffers(trx, network);
  warnings.push(...(await leaveDates(trx, network, feed.fieldNames, context)));
  const updated = new Set([...(await updateOffers(trx, network)), ...(await mergeSharedCodes(trx, network))]);
  for (const id of created) updated.delete(id);
  const records = await namedRecords(trx, created, updated);
  const { withdrawn, live, offers } = full
    ? await withdrawMissing(trx, network, now)
    : { withdrawn: 0, live: 0, offers: [] };
  const lacks = { live, isUnconfirmed: withdrawn > withdrawnFreely(live) && withdrawn !== withdraw, offers };
  if (lacks.isUnconfirmed && !dryRun) {
    const message = manyWithdrawn(withdrawn, live);
    context.problems.add({ source: context.source.name, line: null, index: null, id: null, field: "", message });
  }
  return { ...report, created: created.size, updated: updated.size, withdrawn, records, ...(full ? { lacks } : {}) };
}

function stagedPromotion(promotion: FeedPromotion, place: RecordPlace): StagedPromotion {
  return {
    line: place.line,
    record: place.index,
    id: newId(),
    code_id: newId(),
    network_offer_id: promotion.networkOfferId,
    network_programme_id: promotion.networkProgrammeId,
    kind: promotion.kind,
    title: promotion.title,
    slug: slugOf(promotion.title, "offer"),
    headline: headlineOf(promotion.title),
    description: promotion.description,
    terms: promotion.terms,
    landing_url: promotion.landingUrl,
    starts_text: promotion.startsAt,
    ends_text: promotion.endsAt,
    code: promotion.code,
  };
}

/** Turns times into instants: one without an offset is in the feed's time zone. */
async function settleTimes(trx: Trx, timeZone: string): Promise<void> {
  await sql`alter table staged_promotions add column starts_at timestamptz, add column ends_at timestamptz, add column programme_id uuid, add column retailer_id uuid`.execute(
    trx,
  );
  await sql`update staged_promotions set
    starts_at = ${settledTime("starts_text", timeZone)}, ends_at = ${settledTime("ends_text", timeZone)}`.execute(trx);
}

async function checkPromotions(
  trx: Trx,
  network: Network,
  fieldNames: FeedAdapter["promotions"]["fieldNames"],
  context: ReadContext,
): Promise<void> {
  await sql`update staged_promotions s set programme_id = p.id, retailer_id = p.retailer_id, landing_url = coalesce(s.landing_url, p.landing_url)
    from programmes p where p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id`.execute(
    trx,
  );
  const { rows } = await sql<{
    line: number;
    record: number;
    network_offer_id: string;
    network_programme_id: string;
    unknown: boolean;
    starts_text: string;
    ends_text: string;
  }>`
    select line, record, network_offer_id, network_programme_id, programme_id is null as unknown, starts_text, ends_text
    from staged_promotions where programme_id is null or ends_at <= starts_at order by line, record`.execute(trx);
  for (const row of rows) {
    const at = { source: context.source.name, line: row.line, index: row.record, id: row.network_offer_id };
    if (row.unknown) {
      context.problems.add({
        ...at,
        field: fieldNames.networkProgrammeId,
        message: `no programme ${row.network_programme_id} is known on this network; import the programmes file with it first`,
      });
    } else {
      context.problems.add({
        ...at,
        field: fieldNames.endsAt,
        message: `${row.ends_text} is not after ${fieldNames.startsAt} ${row.starts_text}; correct the dates`,
      });
    }
  }
}

async function createOffers(trx: Trx, network: Network): Promise<Set<string>> {
  const { rows } = await sql<{ network_offer_id: string }>`
    insert into offers (id, slug, retailer_id, programme_id, network_id, network_offer_id, kind, title, description, terms, headline, landing_url, starts_at, ends_at)
    select s.id, s.slug, s.retailer_id, s.programme_id, ${network.id}, s.network_offer_id, s.kind, s.title, s.description, s.terms, s.headline,
      s.landing_url, s.starts_at, s.ends_at
    from staged_promotions s
    where not exists (select 1 from offers o where o.network_id = ${network.id} and o.network_offer_id = s.network_offer_id)
    returning network_offer_id`.execute(trx);
  await sql`
    insert into offer_categories (offer_id, category_id)
    select o.id, c.category_id from staged_promotions s join offers o on o.id = s.id join retailer_categories c on c.retailer_id = o.retailer_id`.execute(
    trx,
  );
  return new Set(rows.map((row) => row.network_offer_id));
}

const MAX_NAMED = 200;

async function namedRecords(
  trx: Trx,
  created: ReadonlySet<string>,
  updated: ReadonlySet<string>,
): Promise<NonNullable<FileReport["records"]>> {
  const ids = [...created, ...updated];
  const { rows } = await sql<{ line: number; id: string; title: string }>`
    select line, network_offer_id as id, title from staged_promotions where network_offer_id = any(${ids}::text[])
    order by line, record limit ${MAX_NAMED}`.execute(trx);
  return rows.map((row) => ({ ...row, what: created.has(row.id) ? "created" : "updated" }));
}

/**
 * Leaves both dates of an offer as they are where the one that an operator keeps and the file's other one would make it end before it starts. Returns a
 * note for each.
 */
async function leaveDates(
  trx: Trx,
  network: Network,
  fieldNames: FeedAdapter["promotions"]["fieldNames"],
  { source }: ReadContext,
): Promise<string[]> {
  const { rows } = await sql<{ line: number; id: string; starts: string; ends: string; keeps_end: boolean }>`
    with impossible as (
      select s.id, s.line, s.record, s.network_offer_id, s.starts_text, s.ends_text, o.starts_at, o.ends_at, 'ends_at' = any(o.kept) as keeps_end
      from staged_promotions s join offers o on o.network_id = ${network.id} and o.network_offer_id = s.network_offer_id
      where case when 'ends_at' = any(o.kept) then o.ends_at else s.ends_at end
        <= case when 'starts_at' = any(o.kept) then o.starts_at else s.starts_at end),
    left_out as (
      update staged_promotions s set starts_at = i.starts_at, ends_at = i.ends_at from impossible i where i.id = s.id)
    select line, network_offer_id as id, starts_text as starts, ends_text as ends, keeps_end from impossible order by line, record`.execute(
    trx,
  );
  return rows.map(({ line, id, starts, ends, keeps_end: keepsEnd }) => {
    const fault = keepsEnd
      ? `${fieldNames.startsAt} ${starts} is not before the end that an operator has set`
      : `${fieldNames.endsAt} ${ends} is not after the start that an operator has set`;
    return `${source.name}, line ${line}, id ${id}: ${fault}. The offer's dates stay as they are; correct them in the admin`;
  });
}

/** What an operator has set stays (`kept`): their words, their dates, and that they have withdrawn it. */
async function updateOffers(trx: Trx, network: Network): Promise<string[]> {
  const { rows } = await sql<{ network_offer_id: string }>`
    update offers o set
      retailer_id = w.retailer_id, programme_id = w.programme_id, kind = w.kind, headline = w.headline, title = w.title, slug = w.slug,
      description = w.description, terms = w.terms, landing_url = w.landing_url, starts_at = w.starts_at, ends_at = w.ends_at,
      status = w.status, updated_at = now()
    from (
      select o.id, s.retailer_id,
        case when o.kind = 'in_store' then o.programme_id else s.programme_id end as programme_id,
        case when o.kind in ('code', 'deal') and 'kind' <> all(o.kept) then s.kind else o.kind end as kind,
        case when o.title = s.title or o.kept && '{title,headline}' then o.headline else s.headline end as headline,
        ${unlessKept("title")}, case when 'title' = any(o.kept) then o.slug else s.slug end as slug,
        ${unlessKept("description")}, ${unlessKept("terms")}, ${unlessKept("landing_url")}, ${unlessKept("starts_at")}, ${unlessKept("ends_at")},
        case when 'status' = any(o.kept) then o.status else 'live' end as status
      from staged_promotions s join offers o on o.network_id = ${network.id} and o.network_offer_id = s.network_offer_id) w
    where o.id = w.id
      and (o.retailer_id, o.title, o.slug, o.description, o.terms, o.landing_url, o.starts_at, o.ends_at, o.status, o.kind, o.programme_id)
        is distinct from (w.retailer_id, w.title, w.slug, w.description, w.terms, w.landing_url, w.starts_at, w.ends_at, w.status, w.kind, w.programme_id)
    returning o.network_offer_id`.execute(trx);
  return rows.map((row) => row.network_offer_id);
}

function unlessKept(column: string) {
  const name = sql.id(column);
  return sql`case when ${sql.lit(column)} = any(o.kept) then o.${name} else s.${name} end as ${name}`;
}

/** Updates shared codes to match the file. Pools of codes belong to the club and stay as they are: a code of a pool, for whichever variant, is not shared. */
async function mergeSharedCodes(trx: Trx, network: Network): Promise<string[]> {
  const changed: string[] = [];
  const statements = [
    sql<{ network_offer_id: string }>`
      delete from offer_codes c using offers o, staged_promotions s
      where c.offer_id = o.id and o.network_id = ${network.id} and o.network_offer_id = s.network_offer_id
        and c.code_kind = 'shared' and c.variant_id is null and c.code is distinct from s.code and 'code' <> all(o.kept)
      returning o.network_offer_id`,
    sql<{ network_offer_id: string }>`
      with added as (
        insert into offer_codes (id, offer_id, code_kind, code)
        select s.code_id, o.id, 'shared', s.code
        from staged_promotions s join offers o on o.network_id = ${network.id} and o.network_offer_id = s.network_offer_id
        where s.code is not null and 'code' <> all(o.kept)
          and not exists (select 1 from offer_codes c where c.offer_id = o.id and (c.variant_id is null or c.code_kind = 'pool') and c.code = s.code)
        returning offer_id)
      select o.network_offer_id from added join offers o on o.id = added.offer_id`,
  ];
  for (const statement of statements) {
    const { rows } = await statement.execute(trx);
    changed.push(...rows.map((row) => row.network_offer_id));
  }
  return changed;
}

/** Offers that one full file may withdraw without confirmation, of those that were live. */
function withdrawnFreely(live: number): number {
  return Math.max(5, Math.floor(live / 10));
}

interface Withdrawn {
  withdrawn: number;
  /** The first 200 of them, by title. */
  offers: { publicId: string; title: string }[];
}

/** Returns how many live offers were withdrawn, which, and how many there were. */
async function withdrawMissing(trx: Trx, network: Network, now: Date): Promise<Withdrawn & { live: number }> {
  const { rows: gone } = await sql<Withdrawn>`
    with gone as (
      update offers o set status = 'withdrawn', updated_at = now()
      where o.network_id = ${network.id} and o.status = 'live' and (o.ends_at is null or o.ends_at > ${now})
        and not exists (select 1 from staged_promotions s where s.network_offer_id = o.network_offer_id)
      returning o.public_id, o.title)
    select count(*)::int as withdrawn, coalesce((
      select jsonb_agg(jsonb_build_object('publicId', public_id, 'title', title) order by title, public_id)
      from (select * from gone order by title, public_id limit ${MAX_NAMED}) named), '[]') as offers
    from gone`.execute(trx);
  const { withdrawn, offers } = gone[0] ?? { withdrawn: 0, offers: [] };
  const { rows } = await sql<{ listed: number }>`
    select count(*)::int as listed from offers o join staged_promotions s on s.network_offer_id = o.network_offer_id and s.id <> o.id
    where o.network_id = ${network.id} and o.status = 'live' and (o.ends_at is null or o.ends_at > ${now})`.execute(
    trx,
  );
  return { withdrawn, offers, live: withdrawn + rows[0]!.listed };
}
