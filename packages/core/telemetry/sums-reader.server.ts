import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { firstByBound, isShort, unbounded } from "./first-by-bound.ts";
import type { DayCount, OfferCount, ReportRange, TelemetryReader, TermCount } from "./reader.ts";
import { REMOVED_TERM } from "./rules.ts";
import { londonDay, notSummed } from "./sums.server.ts";

/** Reads the sums, and the rows that are not in them yet: exact up to the last committed event, whatever the jobs do. */
export function sumsReader(db: Db): TelemetryReader {
  const counting = reader(db, {
    name: "sums",
    days: (range) => sql`select brand_id, day, event_type, events from telemetry_days where ${within(range)}
      union all ${typesOfRows(range, notSummed)}`,
    offers: (range) => sql`select sums.brand_id, offers.public_id as offer, sums.views, sums.redemptions
      from telemetry_offer_days sums join offers on offers.id = sums.offer_id where ${within(range)}
      union all ${offersOfRows(range, notSummed)}`,
    terms: (range) => sql`select brand_id, term, searches from telemetry_search_days where ${within(range)}
      union all ${termsOfRows(range, notSummed)}`,
  });
  return {
    ...counting,
    async countByOffer(range, which) {
      if (which.offers || isShort(range)) return counting.countByOffer(range, which);
      const first = await firstByBound({
        max: which.max,
        tries: [8, 64],
        read: (count) => firstOffers(db, range, { max: which.max, count }),
        valueOf: ({ views }) => views,
      });
      return first ? first.map(unbounded) : counting.countByOffer(range, which);
    },
  };
}

/** Counts the `count` offers with the most views in the months of the range, in one statement: what is in no sum yet is counted once. */
async function firstOffers(
  db: Db,
  range: ReportRange,
  { max, count }: { max: number; count: number },
): Promise<(OfferCount & { next: number | null })[]> {
  const { rows } = await sql<OfferCount & { next: number | null }>`
    with unsummed as materialized (
      select counted.brand_id, offers.id as offer_id, counted.views, counted.redemptions
      from (${offersOfRows(range, notSummed)}) counted join offers on offers.public_id = counted.offer
    ), bounded as materialized (
      select brand_id, offer_id, sum(views) as bound from (
        select brand_id, offer_id, views from telemetry_offer_months where ${inMonths(range)}
        union all select brand_id, offer_id, views from unsummed
      ) known group by 1, 2 order by 3 desc limit ${count + 1}
    ), chosen as materialized (
      select brand_id, offer_id from bounded order by bound desc limit ${count}
    ), counted as (
      select brand_id, offer_id, sum(views) as views, sum(redemptions) as redemptions from (
        select days.brand_id, days.offer_id, days.views, days.redemptions from chosen
          join telemetry_offer_days days using (brand_id, offer_id) where ${within(range)}
        union all select unsummed.* from chosen join unsummed using (brand_id, offer_id)
      ) known group by 1, 2
    )
    select counted.brand_id as "brandId", offers.public_id as offer, views::float8 as views, redemptions::float8 as redemptions,
      (select min(bound) from bounded having count(*) > ${count})::float8 as next
    from counted join offers on offers.id = counted.offer_id order by 3 desc, 4 desc, 2, 1 limit ${max}`.execute(db);
  return rows;
}

/** Reads the rows alone: slow, and independent of the sums. Days that retention has dropped are missing. */
export function rowsReader(db: Db): TelemetryReader {
  const every = sql`true`;
  return reader(db, {
    name: "rows",
    days: (range) => typesOfRows(range, every),
    offers: (range) => offersOfRows(range, every),
    terms: (range) => termsOfRows(range, every),
  });
}

type Fragment = RawBuilder<unknown>;

const typesOfRows = (range: ReportRange, which: Fragment) => sql`
  select brand_id, ${londonDay} as day, event_type, count(*) as events from telemetry_events where ${receivedIn(range)} and ${which} group by 1, 2, 3`;

const offersOfRows = (range: ReportRange, which: Fragment) => sql`
  select brand_id, subject as offer, count(*) filter (where event_type = 'OfferPage') as views,
    count(*) filter (where event_type = 'OfferRedeemed') as redemptions
  from telemetry_events where event_type in ('OfferPage', 'OfferRedeemed') and ${receivedIn(range)} and ${which}
    and exists (select from offers where offers.public_id = subject) group by 1, 2`;

const termsOfRows = (range: ReportRange, which: Fragment) => sql`
  select brand_id, lower(subject) as term, count(*) as searches
  from telemetry_events where event_type = 'SearchPage' and subject not in ('', ${REMOVED_TERM}) and ${receivedIn(range)} and ${which} group by 1, 2`;

/** Of the partitions, only those that a day in London touches: it begins at 23:00 UTC of the day before, in summer. */
function receivedIn({ brandId, from, to }: ReportRange): Fragment {
  return sql`received_on between ${from}::date - 1 and ${to}::date and ${londonDay} between ${from}::date and ${to}::date and ${ofBrand(brandId)}`;
}

function within({ brandId, from, to }: ReportRange): Fragment {
  return sql`day between ${from}::date and ${to}::date and ${ofBrand(brandId)}`;
}

/** The months that the range is in. */
export function inMonths({ brandId, from, to }: ReportRange): Fragment {
  return sql`month between date_trunc('month', ${from}::date)::date and ${to}::date and ${ofBrand(brandId)}`;
}

/** `brand_id` is the brand, or any. */
export const ofBrand = (brandId: string | null) => (brandId === null ? sql`true` : sql`brand_id = ${brandId}`);

interface Parts {
  name: string;
  days(range: ReportRange): Fragment;
  offers(range: ReportRange): Fragment;
  terms(range: ReportRange): Fragment;
}

function reader(db: Db, { name, days, offers, terms }: Parts): TelemetryReader {
  return {
    name,
    async countByDay(range) {
      const { rows } = await sql<DayCount>`
        select brand_id as "brandId", day, event_type as "eventType", sum(events)::float8 as events
        from (${days(range)}) counted group by 1, 2, 3 order by 1, 2, 3`.execute(db);
      return rows;
    },
    async countByOffer(range, { max, offers: only }) {
      const { rows } = await sql<OfferCount>`
        select brand_id as "brandId", offer, sum(views)::float8 as views, sum(redemptions)::float8 as redemptions
        from (${offers(range)}) counted where ${only ? sql`offer = any(${only}::text[])` : sql`true`}
        group by 1, 2 order by 3 desc, 4 desc, 2, 1 limit ${max}`.execute(db);
      return rows;
    },
    async countByTerm(range, { max, terms: only }) {
      const { rows } = await sql<TermCount>`
        select brand_id as "brandId", term, sum(searches)::float8 as searches
        from (${terms(range)}) counted where ${only ? sql`term = any(${only}::text[])` : sql`true`}
        group by 1, 2 order by 3 desc, 2, 1 limit ${max}`.execute(db);
      return rows;
    },
  };
}
