import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { BasisPoints } from "../money/money.ts";
import { keepImportsOut } from "./import-lock.server.ts";

/** The member's share of a network's commission (C5): what a change of it would do, and the change. */

export interface NetworkRecord {
  slug: string;
  name: string;
  memberShareBp: BasisPoints;
  programmes: number;
  /** Programmes that the club has joined. */
  joined: number;
  rates: number;
  /** Boosts that have not ended: their rates were set by hand. */
  boosts: number;
}

export async function findNetworkRecord(
  db: Db | Trx,
  { slug, now }: { slug: string; now: Date },
): Promise<NetworkRecord | null> {
  const { rows } = await sql<NetworkRecord>`
    select network.slug, network.name, network.member_share_bp as "memberShareBp",
      count(distinct p.id)::int as programmes, (count(distinct p.id) filter (where p.status = 'joined'))::int as joined,
      count(t.id)::int as rates,
      (select count(*)::int from programmes p join rate_tiers t on t.programme_id = p.id
        join boosts b on b.rate_tier_id = t.id and b.ends_at > ${now} where p.network_id = network.id) as boosts
    from networks network left join programmes p on p.network_id = network.id left join rate_tiers t on t.programme_id = p.id
    where network.slug = ${slug} group by network.id`.execute(db);
  return rows[0] ?? null;
}

/** The member's rate of a tier `t` at a share, by the rule of member-rate.ts. Null where the network's commission is not known: such a rate stays. */
const rateAt = (share: BasisPoints) => sql`case t.rate_kind
  when 'percent' then (t.network_rate_bp * ${share}::integer / 10000 / 5 * 5)::bigint
  else t.network_rate_pence * ${share}::integer / 10000 end`;
const rateNow = sql`coalesce(t.member_rate_bp, t.member_rate_pence)`;
const ofNetwork = (slug: string) => sql`p.network_id = (select id from networks where slug = ${slug})`;

/** What a share would do to members' rates. */
export interface ShareEffect {
  rises: number;
  falls: number;
  same: number;
  /** Rates of those that fall to nothing: no cashback. */
  toNothing: number;
  /** At most three rates that change, of the retailers that members look at most. Basis points, or pence of a fixed rate. */
  examples: { retailer: string; kind: "percent" | "fixed"; from: number; to: number }[];
}

export async function findShareEffect(
  db: Db | Trx,
  { slug, share }: { slug: string; share: BasisPoints },
): Promise<ShareEffect> {
  const { rows } = await sql<ShareEffect>`
    with rates as materialized (
      select t.id, p.retailer_id, p.is_preferred and p.status = 'joined' as is_shown, t.rate_kind, t.position, ${rateNow} as old,
        ${rateAt(share)} as new
      from rate_tiers t join programmes p on p.id = t.programme_id where ${ofNetwork(slug)}), retailer_rates as (
      select distinct on (r.id) r.name, r.popularity, rates.* from rates join retailers r on r.id = rates.retailer_id
      where new <> old order by r.id, is_shown desc, old desc, position, rates.id)
    select (count(*) filter (where new > old))::int as rises, (count(*) filter (where new < old))::int as falls,
      (count(*) filter (where new is null or new = old))::int as same, (count(*) filter (where new = 0 and old > 0))::int as "toNothing",
      coalesce((select json_agg(json_build_object('retailer', name, 'kind', rate_kind, 'from', old, 'to', new))
        from (select * from retailer_rates order by is_shown desc, popularity desc, name limit 3) first), '[]') as examples
    from rates`.execute(db);
  return rows[0] ?? { rises: 0, falls: 0, same: 0, toNothing: 0, examples: [] };
}

export type ChangedShare =
  | { outcome: "changed"; rates: number }
  | { outcome: "unchanged" | "unknown" }
  /** An import runs, and writes rates by the share that it began with. */
  | { outcome: "busy" }
  /** Somebody else has changed the share since `version`: what is stored now. */
  | { outcome: "stale"; stored: BasisPoints };

/**
 * Sets the member's share of a network's commission, and all members' rates of its programmes by it, in one transaction and one statement (C5). What the
 * club has set by hand stays, as in an import: caps, what a rate is of, boosts. Clicks made before keep the rates that were frozen. Pages, the search and
 * alerts follow as after an import.
 * @param version the share that the operator was shown
 */
export async function changeMemberShare(
  db: Db,
  { slug, share, version, now }: { slug: string; share: BasisPoints; version: BasisPoints; now: Date },
): Promise<ChangedShare> {
  return await db.transaction().execute(async (trx): Promise<ChangedShare> => {
    // Never waits, so that an import and a change can't wait for each other.
    if (!(await keepImportsOut(trx))) return { outcome: "busy" };
    const stored = await trx
      .selectFrom("networks")
      .select("member_share_bp")
      .where("slug", "=", slug)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!stored) return { outcome: "unknown" };
    if (stored.member_share_bp !== version) return { outcome: "stale", stored: stored.member_share_bp };
    if (share === version) return { outcome: "unchanged" };
    await trx.updateTable("networks").set({ member_share_bp: share }).where("slug", "=", slug).execute();
    const { numAffectedRows } = await sql`
      update rate_tiers t set updated_at = ${now},
        member_rate_bp = case t.rate_kind when 'percent' then (${rateAt(share)})::integer end,
        member_rate_pence = case t.rate_kind when 'fixed' then ${rateAt(share)} end
      from programmes p where p.id = t.programme_id and ${ofNetwork(slug)} and ${rateAt(share)} <> ${rateNow}`.execute(
      trx,
    );
    return { outcome: "changed", rates: Number(numAffectedRows ?? 0n) };
  });
}
