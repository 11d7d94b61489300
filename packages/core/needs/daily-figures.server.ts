import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { moneyByDay } from "../reports/money-sums.server.ts";
import { clicksByHour, keptAndGaps, membersAndPurchasesByHour } from "../reports/report-hours.server.ts";

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
  const today = sql`date_trunc('day', ${now}::timestamptz at time zone 'Europe/London')`;
  const first = sql`(${today} - make_interval(days => ${FIGURE_DAYS - 1}::int))`;
  const span = {
    from: sql`(${first} at time zone 'Europe/London')`,
    to: sql`((${today} + interval '1 day') at time zone 'Europe/London')`,
  };
  // A day in London begins with an hour, in winter and in summer.
  const day = sql`(hour at time zone 'Europe/London')::date as day`;
  const { rows } = await sql<DayFigures>`
    with days as (
      select day::date from generate_series(${first}, ${today}, interval '1 day') day
    ), ${keptAndGaps(span)}, clicked as (
      select ${day}, sum(healthy + slow + blocked + no_cookies + unchecked) as count from ${clicksByHour} hours group by 1
    ), others as (
      select ${day}, sum(joined) as joined, sum(tracked) as tracked, sum(confirmed_pence) as confirmed
      from ${membersAndPurchasesByHour} hours group by 1
    ), paid as (
      select day, sum(pence) as pence from ${moneyByDay} sums
      where day >= ${first}::date and account_kind = 'member_paid' and transfer_kind <> 'payout_returned' group by 1
    )
    select days.day::text as day, coalesce(others.joined, 0)::int as joined, coalesce(clicked.count, 0)::int as clicks,
      coalesce(others.tracked, 0)::int as tracked, coalesce(others.confirmed, 0)::bigint as "confirmedPence",
      coalesce(paid.pence, 0)::bigint as "paidPence"
    from days left join clicked using (day) left join others using (day) left join paid using (day) order by days.day`.execute(
    db,
  );
  return rows;
}
