import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { VoteOutcome } from "./rules.ts";

/** What a member said today about a code. */
export interface VoteToday {
  code: string;
  /** Public id of the only variant that the code is for; null: for all. */
  variant: string | null;
  outcome: VoteOutcome;
}

/** Returns what a member said today (in London time) about the codes of an offer, latest first. */
export async function findVotes(
  db: Db,
  { memberId, offerId, now }: { memberId: string; offerId: string; now: Date },
): Promise<VoteToday[]> {
  const { rows } = await sql<VoteToday>`${keepPlan}
    select k.code, v.public_id as variant, vote.outcome
    from code_votes vote join offer_codes k on k.id = vote.code_id left join offer_variants v on v.id = k.variant_id
    where vote.member_id = ${memberId} and vote.offer_id = ${offerId} and vote.voted_on = (${now}::timestamptz at time zone 'Europe/London')::date
    order by vote.voted_at desc`.execute(db);
  return rows;
}
