import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { VoteOutcome } from "./rules.ts";

export interface NewVote {
  brandId: string;
  memberId: string;
  offerPublicId: string;
  /** The variant that the code was revealed for; null or unknown: the latest one. */
  variantPublicId: string | null;
  outcome: VoteOutcome;
  now: Date;
}

/**
 * Records a member's vote on whether a code worked (O4). Only members to whom the code was revealed can vote, once a
 * day in London time, and the last vote of a day counts. The vote is about the code that they were shown last; a code
 * that has been replaced or made void since gets none.
 */
export async function castVote(
  db: Db,
  { brandId, memberId, offerPublicId, variantPublicId, outcome, now }: NewVote,
): Promise<"counted" | "not-revealed"> {
  const { numAffectedRows } = await sql`
    insert into code_votes (id, member_id, code_id, offer_id, outcome, voted_on, voted_at)
    select ${newId()}, m.id, k.id, o.id, ${outcome}, (${now}::timestamptz at time zone 'Europe/London')::date, ${now}
    from members m join offers o on o.public_id = ${offerPublicId}
      join lateral (
        select shown.variant_id, shown.code from code_reveals shown left join offer_variants v on v.id = shown.variant_id
        where shown.member_id = m.id and shown.offer_id = o.id
        order by v.public_id is not distinct from ${variantPublicId}::text desc, shown.revealed_at desc limit 1) shown on true
      join lateral (
        select k.id from offer_codes k
        where k.offer_id = o.id and (k.variant_id is null or k.variant_id = shown.variant_id) and (k.member_id = m.id or k.code_kind = 'shared')
          and (shown.code is null or k.code = shown.code) and k.voided_at is null
        order by k.member_id is not null desc, k.variant_id nulls last limit 1) k on true
    where m.id = ${memberId} and m.brand_id = ${brandId} and m.suspended_at is null
    for key share of m
    on conflict (member_id, code_id, voted_on) do update set outcome = excluded.outcome, voted_at = excluded.voted_at`.execute(
    db,
  );
  return numAffectedRows === 1n ? "counted" : "not-revealed";
}
