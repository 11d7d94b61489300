import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { firstByBound, isShort, unbounded, type Bounded } from "../telemetry/first-by-bound.ts";
import type { ReportRange } from "../telemetry/reader.ts";
import { inMonths, ofBrand } from "../telemetry/sums-reader.server.ts";
import type { OfferConversion } from "./report-view.ts";

/** Offers that are compared: those with the most clicks. */
export const MAX_COMPARED = 2_000;

/** What the sums by day are added up to. */
export const ownSums = sql`sum(sums.reveals)::float8 as reveals, sum(sums.clicks)::float8 as clicks, sum(sums.tracked)::float8 as tracked,
  sum(sums.confirmed)::float8 as confirmed, sum(sums.sale_pence)::bigint as "salePence", sum(sums.cashback_pence)::bigint as "cashbackPence"`;

export type ClickedOffer = Omit<OfferConversion, "views" | "redemptions"> & { brandId: string };

/** Returns the `MAX_COMPARED` offers with the most clicks. */
export async function readMostClicked(
  db: Db,
  range: ReportRange,
  { minClicks }: { minClicks: number },
): Promise<ClickedOffer[]> {
  const days = sql`select sums.* from report_offer_days sums where sums.offer_id is not null`;
  // Of one month there is nothing to add up.
  const bound =
    range.from.slice(0, 7) === range.to.slice(0, 7)
      ? sql`select brand_id, offer_id, clicks as bound from report_offer_months where ${inMonths(range)} and clicks >= ${minClicks}`
      : sql`select brand_id, offer_id, sum(clicks) as bound from report_offer_months where ${inMonths(range)}
          group by 1, 2 having sum(clicks) >= ${minClicks}`;
  const first = await firstByBound<ClickedOffer & Bounded>({
    max: MAX_COMPARED,
    tries: isShort(range) ? [] : [2, 8],
    valueOf: ({ clicks }) => clicks,
    async read(count) {
      const { rows } = await sql<ClickedOffer & Bounded>`
        with bounded as materialized (${bound} order by 3 desc limit ${count + 1}), chosen as materialized (select brand_id, offer_id from bounded order by bound desc limit ${count})
        select named.*, (select min(bound) from bounded having count(*) > ${count})::float8 as next
        from (${clickedOffers(range, { minClicks, days: sql`${days} and (sums.brand_id, sums.offer_id) in (select * from chosen)` })}) named
        order by clicks desc, offer, "brandId"`.execute(db);
      return rows;
    },
  });
  if (first) return first.map(unbounded);
  return (await sql<ClickedOffer>`${clickedOffers(range, { minClicks, days })}`.execute(db)).rows;
}

/** Sums are added up before the offers are named: names would make the rows wide, and sorting them slow. */
function clickedOffers(
  range: ReportRange,
  { minClicks, days }: { minClicks: number; days: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    select summed."brandId", brands.slug as brand, offers.public_id as offer, offers.title, retailers.name as retailer, reveals, clicks,
      tracked, confirmed, "salePence", "cashbackPence"
    from (
      select sums.brand_id as "brandId", sums.offer_id, ${ownSums} from (${days}) sums
      where sums.day between ${range.from}::date and ${range.to}::date and ${ofBrand(range.brandId)}
      group by 1, 2 having sum(sums.clicks) >= ${minClicks}
    ) summed join brands on brands.id = summed."brandId" join offers on offers.id = summed.offer_id join retailers on retailers.id = offers.retailer_id
    order by clicks desc, offer, "brandId" limit ${MAX_COMPARED}`;
}
