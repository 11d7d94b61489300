import { sql } from "kysely";
import type { Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { BasisPoints } from "../money/money.ts";
import type { FeedCommissionGroup, FeedProgramme } from "./feed.ts";
import type { FileReport, Network } from "./import-report.ts";
import { memberRateBp, memberRatePence } from "./member-rate.ts";
import type { FeedFile } from "./provider.ts";
import { readRecords, recordId, type ReadContext, type RecordPlace } from "./read-records.server.ts";
import { slugOf } from "./slug.ts";
import { StagingTable } from "./staging.server.ts";

type StagedProgramme = {
  line: number;
  record: number;
  id: string;
  retailer_id: string;
  network_programme_id: string;
  name: string;
  slug: string;
  currency: string;
  status: string;
  landing_url: string;
  programme_link: string | null;
  valid_domains: string[];
  description: string;
  has_groups: boolean;
};

type StagedTier = {
  id: string;
  network_programme_id: string;
  network_group_id: string;
  label: string;
  rate_kind: string;
  network_rate_bp: number | null;
  network_rate_pence: number | null;
  member_rate_bp: number | null;
  member_rate_pence: number | null;
  position: number;
};

/**
 * Imports a network's programmes with their commission groups: each becomes a programme with its rate tiers, and a new one a retailer too. The
 * file owns the programme's name, currency, status, address and domains and the tiers' labels and rates; what the retailer says about itself
 * belongs to the editorial file and to operators.
 * Problems are added to the context; the caller decides whether to commit.
 */
export async function importProgrammes(
  trx: Trx,
  network: Network,
  feed: FeedFile<FeedProgramme>,
  context: ReadContext,
): Promise<FileReport> {
  const programmes = await StagingTable.create<StagedProgramme>(trx, "staged_programmes", {
    line: "integer",
    record: "integer",
    id: "uuid",
    retailer_id: "uuid",
    network_programme_id: "text",
    name: "text",
    slug: "text",
    currency: "text",
    status: "text",
    landing_url: "text",
    programme_link: "text",
    valid_domains: "text[]",
    description: "text",
    has_groups: "boolean",
  });
  const tiers = await StagingTable.create<StagedTier>(trx, "staged_tiers", {
    id: "uuid",
    network_programme_id: "text",
    network_group_id: "text",
    label: "text",
    rate_kind: "text",
    network_rate_bp: "integer",
    network_rate_pence: "bigint",
    member_rate_bp: "integer",
    member_rate_pence: "bigint",
    position: "integer",
  });
  const warnings: string[] = [];
  const reader = {
    schema: feed.schema,
    idOf: (value: unknown) => recordId(value, feed.idField),
    store: async (programme: FeedProgramme, place: RecordPlace) => {
      await programmes.add(stagedProgramme(programme, place));
      const { networkProgrammeId: id, commissionGroups } = programme;
      const seen = new Set<string>();
      for (const [position, group] of (commissionGroups ?? []).entries()) {
        const { groupId, label } = group;
        if (seen.has(groupId)) {
          context.problems.add({
            source: context.source.name,
            ...place,
            id,
            field: `${feed.fieldNames.commissionGroups}.${position}`,
            message: `group ${groupId} is listed twice; remove one of the two`,
          });
          continue;
        }
        seen.add(groupId);
        if (group.kind === "fixed" && group.currency !== "GBP") {
          warnings.push(
            `${context.source.name}, line ${place.line}, id ${id}: "${label}" pays a fixed ${group.currency} amount, which members are not shown; the tier is left out`,
          );
          continue;
        }
        await tiers.add({
          id: newId(),
          network_programme_id: id,
          network_group_id: groupId,
          label,
          ...rateColumns(group, network.memberShareBp),
          position,
        });
      }
    },
  };
  const { rows, hash } = await readRecords(
    { ...context, read: feed.read },
    Object.fromEntries(feed.lists.map((list) => [list, reader])),
  );
  await programmes.finish();
  await tiers.finish();
  const report = {
    kind: "programmes" as const,
    source: context.source.name,
    hash,
    read: rows,
    created: 0,
    updated: 0,
    withdrawn: 0,
    warnings,
  };
  if (context.problems.count > 0) return report;

  await createRetailers(trx, network);
  const created = await createProgrammes(trx, network);
  warnings.push(...(await nameLostRates(trx, network, context)));
  const updated = new Set([...(await updateProgrammes(trx, network)), ...(await mergeTiers(trx, network))]);
  for (const id of created) updated.delete(id);
  return { ...report, created: created.size, updated: updated.size };
}

function stagedProgramme(programme: FeedProgramme, place: RecordPlace): StagedProgramme {
  return {
    line: place.line,
    record: place.index,
    id: newId(),
    retailer_id: newId(),
    network_programme_id: programme.networkProgrammeId,
    name: programme.name,
    slug: slugOf(programme.name, `retailer-${programme.networkProgrammeId}`),
    currency: programme.currency,
    status: programme.status,
    landing_url: programme.landingUrl,
    programme_link: programme.programmeLink ?? null,
    valid_domains: programme.validDomains,
    description: programme.description,
    has_groups: programme.commissionGroups !== null,
  };
}

/** `memberShareBp` is the part of the commission that the network's club passes on to the member. */
function rateColumns(group: FeedCommissionGroup, memberShareBp: BasisPoints) {
  return group.kind === "percent"
    ? {
        rate_kind: "percent",
        network_rate_bp: group.rateBp,
        network_rate_pence: null,
        member_rate_bp: memberRateBp(group.rateBp, memberShareBp),
        member_rate_pence: null,
      }
    : {
        rate_kind: "fixed",
        network_rate_bp: null,
        network_rate_pence: group.amountMinor,
        member_rate_bp: null,
        member_rate_pence: memberRatePence(group.amountMinor, memberShareBp),
      };
}

/** Creates retailers for programmes seen for the first time, with cautious tracking times until the club writes its own. */
async function createRetailers(trx: Trx, network: Network): Promise<void> {
  await sql`
    insert into retailers (id, slug, name, short_info, long_info, homepage_url, status,
      tracks_within_days_min, tracks_within_days_max, confirms_within_days_min, confirms_within_days_max)
    select s.retailer_id,
      case when exists (select 1 from retailers r where r.slug = s.slug) or row_number() over (partition by s.slug order by s.line, s.record) > 1
        then s.slug || '-' || s.network_programme_id else s.slug end,
      s.name, '', s.description, s.landing_url, 'active', 1, 7, 45, 90
    from staged_programmes s
    where not exists (select 1 from programmes p where p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id)
  `.execute(trx);
}

async function createProgrammes(trx: Trx, network: Network): Promise<Set<string>> {
  const { rows } = await sql<{ network_programme_id: string }>`
    insert into programmes (id, network_id, network_programme_id, retailer_id, name, currency, status, is_preferred, landing_url, programme_link,
      valid_domains)
    select s.id, ${network.id}, s.network_programme_id, s.retailer_id, s.name, s.currency, s.status, true, s.landing_url, s.programme_link,
      s.valid_domains
    from staged_programmes s
    where not exists (select 1 from programmes p where p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id)
    returning network_programme_id
  `.execute(trx);
  return new Set(rows.map((row) => row.network_programme_id));
}

async function updateProgrammes(trx: Trx, network: Network): Promise<string[]> {
  const { rows } = await sql<{ network_programme_id: string }>`
    update programmes p
    set name = s.name, currency = s.currency, status = s.status, landing_url = s.landing_url,
      programme_link = s.programme_link, valid_domains = s.valid_domains, updated_at = now()
    from staged_programmes s
    where p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id
      and (p.name, p.currency, p.status, p.landing_url, p.programme_link, p.valid_domains)
        is distinct from (s.name, s.currency, s.status, s.landing_url, s.programme_link, s.valid_domains)
    returning p.network_programme_id
  `.execute(trx);
  return rows.map((row) => row.network_programme_id);
}

/** Whether the file lists the groups of a programme `s`, and has none for its tier `t`. */
const withoutGroup = sql`s.has_groups and not exists (select 1 from staged_tiers g
  where g.network_programme_id = s.network_programme_id and g.network_group_id = t.network_group_id)`;

/** Returns a note for each tier that leaves with what an operator has set of it: the file has no such group any more (A2). */
async function nameLostRates(trx: Trx, network: Network, { source }: ReadContext): Promise<string[]> {
  const { rows } = await sql<{ line: number; id: string; label: string }>`
    select s.line, s.network_programme_id as id, t.label from rate_tiers t
    join programmes p on p.id = t.programme_id and p.network_id = ${network.id}
    join staged_programmes s on s.network_programme_id = p.network_programme_id
    where cardinality(t.kept) > 0 and ${withoutGroup} order by s.line, s.record, t.position`.execute(trx);
  return rows.map(
    ({ line, id, label }) =>
      `${source.name}, line ${line}, id ${id}: the rate "${label}" leaves with the cap, the words or the boosts that an operator has set, because the file has no such group`,
  );
}

/** Inserts, updates and deletes tiers to match the file, for programmes whose groups the file lists. */
async function mergeTiers(trx: Trx, network: Network): Promise<string[]> {
  const changed: string[] = [];
  const statements = [
    sql<{ network_programme_id: string }>`
      delete from rate_tiers t using programmes p, staged_programmes s
      where t.programme_id = p.id and p.network_id = ${network.id} and p.network_programme_id = s.network_programme_id
        and ${withoutGroup}
      returning p.network_programme_id`,
    sql<{ network_programme_id: string }>`
      update rate_tiers t
      set label = g.label, rate_kind = g.rate_kind, network_rate_bp = g.network_rate_bp, network_rate_pence = g.network_rate_pence,
        member_rate_bp = g.member_rate_bp, member_rate_pence = g.member_rate_pence, position = g.position, updated_at = now()
      from staged_tiers g, programmes p
      where t.programme_id = p.id and p.network_id = ${network.id} and p.network_programme_id = g.network_programme_id
        and t.network_group_id = g.network_group_id
        and (t.label, t.rate_kind, t.network_rate_bp, t.network_rate_pence, t.member_rate_bp, t.member_rate_pence, t.position)
          is distinct from (g.label, g.rate_kind, g.network_rate_bp, g.network_rate_pence, g.member_rate_bp, g.member_rate_pence, g.position)
      returning p.network_programme_id`,
    sql<{ network_programme_id: string }>`
      with added as (
        insert into rate_tiers (id, programme_id, network_group_id, label, rate_kind,
          network_rate_bp, network_rate_pence, member_rate_bp, member_rate_pence, position)
        select g.id, p.id, g.network_group_id, g.label, g.rate_kind,
          g.network_rate_bp, g.network_rate_pence, g.member_rate_bp, g.member_rate_pence, g.position
        from staged_tiers g
        join programmes p on p.network_id = ${network.id} and p.network_programme_id = g.network_programme_id
        where not exists (select 1 from rate_tiers t where t.programme_id = p.id and t.network_group_id = g.network_group_id)
        returning programme_id)
      select distinct p.network_programme_id from added join programmes p on p.id = added.programme_id`,
  ];
  for (const statement of statements) {
    const { rows } = await statement.execute(trx);
    changed.push(...rows.map((row) => row.network_programme_id));
  }
  return changed;
}
