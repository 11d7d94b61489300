import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Rows that were begun before the last sums and committed after them are found again: no transaction of ours takes that long. */
const OVERLAP_MS = 60 * 60_000;

/**
 * Brings the sums of reveals, clicks and cashback up to date (T7). A day of a brand in which anything changed since the last time is summed anew from
 * its rows, so a call that is repeated, or overlaps another, changes nothing. Its reveals never fall: the rows of members who left are gone. Cashback
 * counts on the day of its click, however late it is confirmed. Returns the number of days summed.
 */
export async function sumOffers(db: Db, { now }: { now: Date }): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const mark = await trx.selectFrom("report_watermark").select("summed_until").forUpdate().executeTakeFirstOrThrow();
    const since = mark.summed_until === null ? new Date(0) : new Date(mark.summed_until.getTime() - OVERLAP_MS);
    const changed = await changedDays(trx, since);
    if (changed.length > 0) await sumDays(trx, changed);
    await trx.updateTable("report_watermark").set({ summed_until: now }).execute();
    return changed.length;
  });
}

/** Deletes these sums and makes them again from every click, reveal and entry there is. Returns the number of days summed. */
export async function rebuildOfferSums(db: Db, { now }: { now: Date }): Promise<number> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable("report_watermark").set({ summed_until: null }).execute();
    await trx.deleteFrom("report_offer_days").execute();
    await trx.deleteFrom("report_offer_months").execute();
  });
  return sumOffers(db, { now });
}

interface BrandDay {
  brandId: string;
  day: string;
}

async function changedDays(trx: Trx, since: Date): Promise<BrandDay[]> {
  const { rows } = await sql<BrandDay>`
    select distinct brand_id as "brandId", (happened_at at time zone 'Europe/London')::date as day from (
      select brand_id, created_at as happened_at from clicks where created_at >= ${since}
      union all
      select click.brand_id, click.created_at from cashback_changes change
        join cashback_entries entry on entry.id = change.entry_id join clicks click on click.id = entry.click_id
        where change.changed_at >= ${since}
      union all
      select member.brand_id, reveal.revealed_at from code_reveals reveal join members member on member.id = reveal.member_id
        where reveal.revealed_at >= ${since}
    ) changed`.execute(trx);
  return rows;
}

async function sumDays(trx: Trx, changed: readonly BrandDay[]): Promise<void> {
  const days = sql`unnest(${changed.map(({ brandId }) => brandId)}::uuid[], ${changed.map(({ day }) => day)}::date[]) as changed (brand_id, day)`;
  const first = changed.map(({ day }) => day).reduce((one, other) => (one < other ? one : other));
  const begin = sql`(${first}::timestamp at time zone 'Europe/London')`;
  await sql`
    with summed as (
      select sums.* from report_offer_days sums join ${days} on sums.brand_id = changed.brand_id and sums.day = changed.day
    ), gone as (
      delete from report_offer_days sums using ${days} where sums.brand_id = changed.brand_id and sums.day = changed.day and sums.reveals = 0
    ), emptied as (
      update report_offer_days sums set clicks = 0, tracked = 0, confirmed = 0, sale_pence = 0, cashback_pence = 0
      from ${days} where sums.brand_id = changed.brand_id and sums.day = changed.day and sums.reveals > 0
    ), months as (
      select brand_id, date_trunc('month', day)::date as month, offer_id, sum(clicks) as clicks from summed where offer_id is not null group by 1, 2, 3
    )
    update report_offer_months sums set clicks = sums.clicks - months.clicks from months
    where sums.brand_id = months.brand_id and sums.month = months.month and sums.offer_id = months.offer_id`.execute(
    trx,
  );
  await sql`
    with followed as (
      select click.brand_id, changed.day, click.offer_id, bool_or(entry.entry_kind = 'purchase') as is_tracked,
        bool_or(entry.entry_kind = 'purchase' and entry.state in ('confirmed', 'payable', 'paid')) as is_confirmed,
        coalesce(sum(entry.sale_pence) filter (where entry.state <> 'declined'), 0) as sale_pence,
        coalesce(sum(entry.cashback_pence) filter (where entry.state <> 'declined'), 0) as cashback_pence
      from clicks click
      join ${days} on changed.brand_id = click.brand_id and changed.day = (click.created_at at time zone 'Europe/London')::date
      left join cashback_entries entry on entry.click_id = click.id
      where click.created_at >= ${begin} group by click.id, changed.day
    ), counted as (
      select brand_id, day, offer_id, 0 as reveals, 1 as clicks, coalesce(is_tracked, false)::int as tracked,
        coalesce(is_confirmed, false)::int as confirmed, sale_pence, cashback_pence from followed
      union all
      select member.brand_id, changed.day, reveal.offer_id, 1, 0, 0, 0, 0, 0
      from code_reveals reveal join members member on member.id = reveal.member_id
      join ${days} on changed.brand_id = member.brand_id and changed.day = (reveal.revealed_at at time zone 'Europe/London')::date
      where reveal.revealed_at >= ${begin}
    ), by_day as (
      insert into report_offer_days as sums (brand_id, day, offer_id, reveals, clicks, tracked, confirmed, sale_pence, cashback_pence)
      select brand_id, day, offer_id, sum(reveals), sum(clicks), sum(tracked), sum(confirmed), sum(sale_pence), sum(cashback_pence)
      from counted group by 1, 2, 3
      on conflict (brand_id, day, offer_id) do update set reveals = greatest(sums.reveals, excluded.reveals), clicks = excluded.clicks,
        tracked = excluded.tracked, confirmed = excluded.confirmed, sale_pence = excluded.sale_pence, cashback_pence = excluded.cashback_pence
      returning *
    )
    insert into report_offer_months (brand_id, month, offer_id, clicks)
    select brand_id, date_trunc('month', day)::date, offer_id, sum(clicks) from by_day where offer_id is not null group by 1, 2, 3
    on conflict (month, brand_id, offer_id) do update set clicks = report_offer_months.clicks + excluded.clicks`.execute(
    trx,
  );
}
