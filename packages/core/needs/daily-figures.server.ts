import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { moneyByDay } from "../reports/money-sums.server.ts";

export const FIGURE_DAYS = 14;

/** One day of the club, in London. */
export interface DayFigures {
  /** YYYY-MM-DD. */
  day: string;
  joined: number;
  clicks: number;
  tracked: number;
  /** Pence of cashback that retailers confirmed. */
  confirmedPence: number;
  /** Pence that left for members, also as gift cards. */
  paidPence: number;
}

/** Returns the figures of the last 14 days, today included, oldest first. */
export async function findDailyFigures(db: Db, { now }: { now: Date }): Promise<DayFigures[]> {
  // Written out at each table: the planner knows how few days these are, and takes the index of each table's times.
  const starts = sql`((date_trunc('day', ${now}::timestamptz at time zone 'Europe/London') - make_interval(days => ${FIGURE_DAYS - 1}::int)) at time zone 'Europe/London')`;
  const ends = sql`((date_trunc('day', ${now}::timestamptz at time zone 'Europe/London') + interval '1 day') at time zone 'Europe/London')`;
  const { rows } = await sql<DayFigures>`
    with days as (
      select day::date from generate_series(date_trunc('day', ${now}::timestamptz at time zone 'Europe/London') - make_interval(days => ${FIGURE_DAYS - 1}::int),
        date_trunc('day', ${now}::timestamptz at time zone 'Europe/London'), interval '1 day') day
    ), joined as (
      select (created_at at time zone 'Europe/London')::date as day, count(*) as count from members
      where created_at >= ${starts} and created_at < ${ends} group by 1
    ), clicked as (
      select (created_at at time zone 'Europe/London')::date as day, count(*) as count from clicks
      where created_at >= ${starts} and created_at < ${ends} group by 1
    ), changed as (
      select (changed_at at time zone 'Europe/London')::date as day,
        count(*) filter (where change_kind = 'tracked') as tracked,
        sum(cashback_pence) filter (where change_kind = 'confirmed') as confirmed
      from cashback_changes where changed_at >= ${starts} and changed_at < ${ends} group by 1
    ), paid as (
      select day, sum(pence) as pence from ${moneyByDay} sums
      where day >= (${starts} at time zone 'Europe/London')::date and account_kind = 'member_paid' and transfer_kind <> 'payout_returned' group by 1
    )
    select days.day::text as day, coalesce(joined.count, 0)::int as joined, coalesce(clicked.count, 0)::int as clicks,
      coalesce(changed.tracked, 0)::int as tracked, coalesce(changed.confirmed, 0)::bigint as "confirmedPence",
      coalesce(paid.pence, 0)::bigint as "paidPence"
    from days left join joined using (day) left join clicked using (day) left join changed using (day)
      left join paid using (day) order by days.day`.execute(db);
  return rows;
}
