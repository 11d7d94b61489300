import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Recomputes all scorecards from the purchases of the last year. "In time" means within the days that the retailer's page promises. Figures come from
 * cashback entries alone: purchases that were never tracked are not counted. Those at a retailer that was merged count for the one that stays. Returns the number of retailers with a scorecard.
 */
export async function workOutScorecards(db: Db, { now }: { now: Date }): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('farthing scorecards'))`.execute(trx);
    const { numAffectedRows } = await sql`
      insert into retailer_scorecards (retailer_id, purchases, tracked_in_time, decided, declined, median_confirm_days, worked_out_at)
      select coalesce(r.merged_into_id, r.id), count(*),
        count(*) filter (where e.tracked_at <= e.purchased_at + make_interval(days => r.tracks_within_days_max + 1)),
        count(*) filter (where e.state <> 'tracked'),
        count(*) filter (where e.state = 'declined'),
        round(percentile_cont(0.5) within group (order by extract(epoch from e.confirmed_at - e.purchased_at) / 86400)
          filter (where e.confirmed_at >= e.purchased_at))::integer,
        ${now}
      from cashback_entries e join retailers r on r.id = e.retailer_id
      where e.entry_kind = 'purchase' and e.purchased_at > ${now}::timestamptz - interval '1 year' and e.purchased_at <= ${now}
      group by 1
      on conflict (retailer_id) do update set purchases = excluded.purchases, tracked_in_time = excluded.tracked_in_time,
        decided = excluded.decided, declined = excluded.declined, median_confirm_days = excluded.median_confirm_days,
        worked_out_at = excluded.worked_out_at`.execute(trx);
    await trx.deleteFrom("retailer_scorecards").where("worked_out_at", "<", now).execute();
    return Number(numAffectedRows ?? 0n);
  });
}
