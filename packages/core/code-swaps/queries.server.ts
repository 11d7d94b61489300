import type { Db } from "@farthing/db/client.ts";
import { keepPlanIfDirect, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { mayReplace } from "../reveals/take-code.server.ts";
import { nextSwapAt, type SwapReason } from "./rules.ts";

/** A code that was the member's own and is void. */
export interface VoidCode {
  code: string;
  /** Public id of the only variant that it was for; null: for all. */
  variant: string | null;
  reason: SwapReason;
  swappedAt: Date;
}

export interface OwnSwaps {
  /** Latest first. */
  voidCodes: VoidCode[];
  /** The member's valid codes, with the public id of the variant on whose page a swap finds another now; null: the offer has none. */
  swappable: { code: string; variant: string | null }[];
  /** When the member may swap a code of the offer; null for now. */
  nextSwapAt: Date | null;
}

/** Returns what a member swapped of an offer, and what they could swap. */
export async function findOwnSwaps(
  db: Db,
  { memberId, offerId, now }: { memberId: string; offerId: string; now: Date },
): Promise<OwnSwaps> {
  const { rows } = await sql<VoidCode>`${keepPlanIfDirect}
    select k.code, v.public_id as variant, s.reason, s.swapped_at as "swappedAt"
    from code_swaps s join offer_codes k on k.id = s.voided_code_id left join offer_variants v on v.id = k.variant_id
    where s.member_id = ${unseenByPlanner(memberId, "uuid")} and s.offer_id = ${offerId}
    order by s.swapped_at desc, s.id desc`.execute(db);
  const { rows: swappable } = await sql<OwnSwaps["swappable"][number]>`${keepPlanIfDirect}
    select held.code, v.public_id as variant
    from offer_codes held left join offer_variants v on v.offer_id = held.offer_id and (held.variant_id is null or held.variant_id = v.id)
    where held.member_id = ${unseenByPlanner(memberId, "uuid")} and held.offer_id = ${offerId} and held.voided_at is null
      and exists (select from offer_codes k where k.offer_id = held.offer_id and (k.variant_id is null or k.variant_id = v.id)
        and k.code_kind = 'pool' and k.member_id is null and ${mayReplace({ memberId: sql`held.member_id`, codeId: sql`held.id` })})
    order by held.id, v.position`.execute(db);
  return { voidCodes: rows, swappable, nextSwapAt: nextSwapAt(rows[0]?.swappedAt ?? null, now) };
}

/** A member's own code of a pool, as operators see it. */
export interface MemberCode {
  id: string;
  offer: string;
  offerPublicId: string;
  retailer: string;
  variant: string | null;
  /** The last characters of the code, at most four and at most half of it: the member reads them out. */
  ending: string;
  assignedAt: Date;
  voidedAt: Date | null;
  reason: SwapReason | null;
  isByClub: boolean | null;
}

const MAX_CODES = 200;

/** Returns a member's own codes of pools, the latest first, at most 200. */
export async function listMemberCodes(db: Db, { memberId }: { memberId: string }): Promise<MemberCode[]> {
  const { rows } = await sql<MemberCode>`
    select k.id, o.title as offer, o.public_id as "offerPublicId", r.name as retailer, v.label as variant, right(k.code, least(4, length(k.code) / 2)) as ending,
      k.assigned_at as "assignedAt", k.voided_at as "voidedAt", s.reason, s.is_by_club as "isByClub"
    from offer_codes k join offers o on o.id = k.offer_id join retailers r on r.id = o.retailer_id
      left join offer_variants v on v.id = k.variant_id left join code_swaps s on s.voided_code_id = k.id
    where k.member_id = ${memberId}
    order by k.assigned_at desc, k.id desc limit ${sql.lit(MAX_CODES)}`.execute(db);
  return rows;
}

/** How often codes of an offer were swapped, and why. */
export interface SwapCounts {
  reason: SwapReason;
  lately: number;
  total: number;
  lastAt: Date;
}

/** Returns the swaps of an offer's codes by reason, the most frequent first; `lately` is of the last 30 days. */
export async function countSwaps(db: Db, { offerId, now }: { offerId: string; now: Date }): Promise<SwapCounts[]> {
  const { rows } = await sql<SwapCounts>`
    select reason, (count(*) filter (where swapped_at > ${now}::timestamptz - interval '30 days'))::integer as lately,
      count(*)::integer as total, max(swapped_at) as "lastAt"
    from code_swaps where offer_id = ${offerId} group by reason order by total desc, reason`.execute(db);
  return rows;
}
