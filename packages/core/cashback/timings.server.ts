import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Measures how long retailers and networks took in the last year to confirm and to pay: the median and the ninth decile, in whole days (C3). Also
 * from the click until a purchase showed, with the 95th percentile, which opens claims (C7); purchases that a claim brought do not count.
 * What happened at a retailer that was merged counts for the one that stays.
 * Counted by the day of the decision, not of the purchase, so that quick decisions on recent purchases do not flatter. Returns the number of
 * measures.
 */
export async function measureTimings(db: Db, { now }: { now: Date }): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('farthing cashback timings'))`.execute(trx);
    const { numAffectedRows } = await sql`
      insert into cashback_timings (subject_id, step, sample, p50_days, p90_days, p95_days, worked_out_at)
      select subject.id, step, count(*),
        ceil(percentile_cont(0.5) within group (order by days))::integer,
        ceil(percentile_cont(0.9) within group (order by days))::integer,
        ceil(percentile_cont(0.95) within group (order by days))::integer, ${now}
      from (
        select entry.retailer_id, entry.network_id, 'tracking' as step, extract(epoch from entry.tracked_at - click.created_at) / 86400 as days
        from cashback_entries entry join clicks click on click.id = entry.click_id
        where entry.entry_kind = 'purchase' and entry.tracked_at >= click.created_at
          and entry.tracked_at > ${now}::timestamptz - interval '1 year' and entry.tracked_at <= ${now}
          and not exists (select from claims claim where claim.credited_transaction_id = entry.network_transaction_id)
        union all
        select retailer_id, network_id, 'confirmation', extract(epoch from confirmed_at - purchased_at) / 86400 as days
        from cashback_entries where entry_kind = 'purchase' and confirmed_at >= purchased_at
          and confirmed_at > ${now}::timestamptz - interval '1 year' and confirmed_at <= ${now}
        union all
        select retailer_id, network_id, 'payment', extract(epoch from payable_at - confirmed_at) / 86400
        from cashback_entries where entry_kind = 'purchase' and payable_at >= confirmed_at
          and payable_at > ${now}::timestamptz - interval '1 year' and payable_at <= ${now}) taken
      join retailers shop on shop.id = taken.retailer_id
      cross join lateral (values (coalesce(shop.merged_into_id, shop.id)), (network_id)) subject (id)
      group by subject.id, step
      on conflict (subject_id, step) do update set sample = excluded.sample, p50_days = excluded.p50_days,
        p90_days = excluded.p90_days, p95_days = excluded.p95_days, worked_out_at = excluded.worked_out_at`.execute(
      trx,
    );
    await trx.deleteFrom("cashback_timings").where("worked_out_at", "<", now).execute();
    return Number(numAffectedRows ?? 0n);
  });
}
