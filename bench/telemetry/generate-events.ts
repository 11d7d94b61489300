import { addDays } from "@farthing/core/telemetry/rules.ts";
import type pg from "pg";

/** What is generated: `perDay` events on each of `days` days from `first` on, of the first so many brands and offers. */
export interface EventPlan {
  first: string;
  days: number;
  perDay: number;
  brands: number;
  offers: number;
}

/** Rows of one statement. */
const PART = 500_000;

/** Numbers the brands and offers of the database, for the events that are generated. */
export async function numberSubjects(pool: pg.Pool): Promise<void> {
  await pool.query(
    `create unlogged table volume_offers as select row_number() over ()::int - 1 as n, public_id from offers; create unique index on volume_offers (n)`,
  );
  await pool.query(
    "create unlogged table volume_brands as select row_number() over ()::int - 1 as n, id from brands; analyze volume_offers, volume_brands",
  );
}

/** Two days at a time, as there are two processors at least; each day is a partition of its own, which has to be open. */
export async function generateEvents(pool: pg.Pool, plan: EventPlan): Promise<void> {
  const { first, days, perDay } = plan;
  const left = Array.from({ length: days }, (_, day) => day);
  const lane = async () => {
    for (let day = left.shift(); day !== undefined; day = left.shift())
      for (let from = 0; from < perDay; from += PART)
        await insertEvents(pool, plan, {
          day: addDays(first, day),
          count: Math.min(PART, perDay - from),
          from: day * perDay + from,
        });
  };
  await Promise.all([lane(), lane()]);
}

/** Inserts `count` events of a day, numbered from `from`. Offers are popular by a power law; of ten events, five are views, one a redemption, two searches, and two other pages. */
export async function insertEvents(
  pool: pg.Pool,
  { brands, offers }: Pick<EventPlan, "brands" | "offers">,
  { day, count, from }: { day: string; count: number; from: number },
): Promise<void> {
  await pool.query(
    `insert into telemetry_events (id, received_on, received_at, recorded_in, brand_id, event_type, user_id, session_id, affinity_id, subject, page_loaded_at, extra_fields)
     select (lpad(to_hex(i), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid, $1::date, $1::date + interval '12 hours' + i % 36000 * interval '1 s',
       pg_current_xact_id()::text::bigint, brand.id, kind.name, case when i % 3 = 0 then substr(md5((i % 400000)::text), 1, 22) end, substr(md5((i / 6)::text), 1, 22), 'affinity',
       case kind.name when 'SearchPage' then case when i % 4 < 2 then 'term ' || i % 200 else 'rare ' || i % 300000 end
         when 'RetailerPage' then 'Retailer ' || i % 900 when 'CategoryPage' then 'category-' || i % 40 else offer.public_id end,
       case when kind.name not in ('SearchPage', 'OfferRedeemed') then $1::date + interval '12 hours' end, null
     from generate_series($2::bigint, $2::bigint + $3::bigint - 1) i
     join volume_brands brand on brand.n = i % $4::int
     join volume_offers offer on offer.n = floor(power((i * 7919 % 100003) / 100003.0, 3) * $5::int)::int
     cross join lateral (select (array['OfferPage','OfferPage','OfferPage','OfferPage','OfferPage','OfferRedeemed','SearchPage','SearchPage','RetailerPage','CategoryPage'])[1 + (i * 31 % 10)::int] as name) kind`,
    [day, from, count, brands, offers],
  );
}

/** Adds what reports read beside the events' sums: results of searches, and the club's own sums of offers, in proportion to the views. */
export async function addOwnSums(pool: pg.Pool): Promise<void> {
  await pool.query(
    "insert into telemetry_search_results select distinct brand_id, term, (random() < 0.9)::int * 7, now() from telemetry_search_days where searches > 20 on conflict do nothing",
  );
  await pool.query(
    `insert into report_offer_days (brand_id, day, offer_id, reveals, clicks, tracked, confirmed, sale_pence, cashback_pence)
     select brand_id, day, offer_id, redemptions, redemptions + views / 4, views / 20, views / 25, views / 20 * 5000, views / 20 * 200 from telemetry_offer_days on conflict do nothing`,
  );
  await pool.query(
    `insert into report_offer_months (brand_id, month, offer_id, clicks)
     select brand_id, date_trunc('month', day)::date, offer_id, sum(clicks) from report_offer_days group by 1, 2, 3 on conflict do nothing`,
  );
}
