import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { VoteOutcome } from "./rules.ts";

/** Returns what a member said today about an offer's code; null if they were never shown one. */
export async function findVote(
  db: Db,
  { memberId, offerId, now }: { memberId: string; offerId: string; now: Date },
): Promise<{ today: VoteOutcome | null } | null> {
  const { rows } = await sql<{ today: VoteOutcome | null }>`${keepPlan}
    select (select v.outcome from code_votes v
      where v.member_id = ${memberId} and v.offer_id = ${offerId} and v.voted_on = (${now}::timestamptz at time zone 'Europe/London')::date
      order by v.voted_at desc limit 1) as today
    where exists (select from code_reveals shown where shown.member_id = ${memberId} and shown.offer_id = ${offerId})`.execute(
    db,
  );
  return rows[0] ?? null;
}
