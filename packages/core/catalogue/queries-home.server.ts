import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { HomePage, OfferCard, RetailerCard } from "./catalogue-view.ts";
import { listOfferCards } from "./offer-cards.server.ts";
import { listCategories } from "./queries-categories.server.ts";
import { retailerCardColumns, toRetailerCard, type RetailerCardRow } from "./retailer-cards.server.ts";

const FEATURED = 12;
/** Seven columns at the widest, six rows (product.md D7). */
const LOGOS = 42;

/** Everything the home page of a brand shows at `now` (product.md D1). */
export async function findHomePage(db: Db, { brandId, now }: { brandId: string; now: Date }): Promise<HomePage> {
  const [popular, latest, endingSoon, cashbackRetailers, categories] = await Promise.all([
    listOfferCards(db, { brandId, now, perPage: FEATURED * 8 }),
    listOfferCards(db, { brandId, now, sort: "newest", perPage: FEATURED * 8 }),
    listOfferCards(db, { brandId, now, sort: "ending", perPage: FEATURED, filters: { endsOnly: true } }),
    listCashbackRetailers(db, { brandId, now }),
    listCategories(db, { brandId, now }),
  ]);
  return {
    featured: onePerRetailer(popular).slice(0, FEATURED),
    latest: onePerRetailer(latest).slice(0, FEATURED),
    endingSoon,
    cashbackRetailers,
    categories,
  };
}

/** A carousel with six offers of one retailer tells a visitor little; each retailer keeps its first. */
function onePerRetailer(cards: OfferCard[]): OfferCard[] {
  const seen = new Set<string>();
  return cards.filter(({ retailer }) => !seen.has(retailer.slug) && seen.add(retailer.slug));
}

/** Retailers that pay cashback, those the brand features first, then the most popular. */
export async function listCashbackRetailers(
  db: Db,
  { brandId, now, limit = LOGOS }: { brandId: string; now: Date; limit?: number },
): Promise<RetailerCard[]> {
  const { rows } = await sql<RetailerCardRow>`${keepPlan}
    select ${retailerCardColumns(brandId, now)}
    from (
      select v.*, br.is_featured from visible_retailers(${brandId}) v
      join brand_retailers br on br.retailer_id = v.id and br.brand_id = ${brandId}
      where exists (
        select from programmes p join rate_tiers t on t.programme_id = p.id
        where p.retailer_id = v.id and p.is_preferred and p.status = 'joined'
          and (t.member_rate_bp > 0 or t.member_rate_pence > 0 or exists (
            select from boosts b where b.rate_tier_id = t.id and b.starts_at <= ${now} and b.ends_at > ${now})))
      order by br.is_featured desc, v.popularity desc, v.slug limit ${limit}) r
    order by r.is_featured desc, r.popularity desc, r.slug`.execute(db);
  return rows.map((row) => toRetailerCard(row, now)).filter((card) => card.bestRate);
}
