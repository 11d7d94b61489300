import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { HomePage, OfferCard, RetailerCard } from "../catalogue-view.ts";
import { offerCardColumns, toOfferCard, type OfferCardRow } from "../offers/offer-cards.server.ts";
import { listCategories } from "../categories/queries.server.ts";
import { retailerCardColumns, toRetailerCard, type RetailerCardRow } from "../retailers/retailer-cards.server.ts";

const CARDS_PER_LIST = 12;
const MAX_LEADING = 4;
/** Twelve in the carousel, then the grid: seven columns at the widest, six rows (D7). */
const MAX_LOGOS = 54;

/** Returns what the home page of a brand shows at `now` (D1). `leadCategories` are the slugs of the categories that it leads with. */
export async function findHomePage(
  db: Db,
  { brandId, now, leadCategories = [] }: { brandId: string; now: Date; leadCategories?: readonly string[] },
): Promise<HomePage> {
  const [offers, lead, cashbackRetailers, categories] = await Promise.all([
    listHomeOffers(db, { brandId, now }),
    listLeadingOffers(db, { brandId, now, leadCategories }),
    listCashbackRetailers(db, { brandId, now }),
    listCategories(db, { brandId, now }),
  ]);
  return { ...offers, lead, cashbackRetailers, categories };
}

type HomeOffers = Pick<HomePage, "featured" | "latest" | "endingSoon">;

async function listHomeOffers(db: Db, { brandId, now }: { brandId: string; now: Date }): Promise<HomeOffers> {
  const { rows } = await sql<OfferCardRow & { list: "featured" | "latest" | "ending" }>`${keepPlan}
    select chosen.list, ${offerCardColumns(brandId, now)}
    from home_offers(${brandId}, ${now}, ${CARDS_PER_LIST}) chosen join offers o on o.id = chosen.offer_id join retailers r on r.id = o.retailer_id
    order by chosen.list, chosen.place`.execute(db);
  const cardsOf = (list: string) => rows.filter((row) => row.list === list).map((row) => toOfferCard(row, now));
  return { featured: cardsOf("featured"), latest: cardsOf("latest"), endingSoon: cardsOf("ending") };
}

async function listLeadingOffers(
  db: Db,
  { brandId, now, leadCategories }: { brandId: string; now: Date; leadCategories: readonly string[] },
): Promise<OfferCard[]> {
  if (leadCategories.length === 0) return [];
  const { rows } = await sql<OfferCardRow>`${keepPlan}
    select ${offerCardColumns(brandId, now)}
    from leading_offers(${brandId}, ${now}, ${leadCategories}::text[], ${MAX_LEADING}) chosen
    join offers o on o.id = chosen.offer_id join retailers r on r.id = o.retailer_id
    order by chosen.place`.execute(db);
  return rows.map((row) => toOfferCard(row, now));
}

/** Returns retailers that pay cashback: those that the brand features first, then the most popular. */
export async function listCashbackRetailers(
  db: Db,
  { brandId, now, limit = MAX_LOGOS }: { brandId: string; now: Date; limit?: number },
): Promise<RetailerCard[]> {
  // Each list by itself: the index has the order of one, and is read until there are enough.
  const listed = (isFeatured: boolean) => sql`(
      select v.*, ${sql.lit(isFeatured)} as is_featured from visible_retailers(${brandId}) v
      where exists (select from brand_retailers br where br.retailer_id = v.id and br.brand_id = ${brandId} and br.is_featured = ${sql.lit(isFeatured)})
        and exists (
          select from programmes p join rate_tiers t on t.programme_id = p.id
          where p.retailer_id = v.id and p.is_preferred and p.status = 'joined'
            and (t.member_rate_bp > 0 or t.member_rate_pence > 0 or exists (
              select from boosts b where b.rate_tier_id = t.id and b.starts_at <= ${now} and b.ends_at > ${now})))
      order by v.popularity desc, v.slug limit ${sql.lit(limit)})`;
  const { rows } = await sql<RetailerCardRow>`${keepPlan}
    select ${retailerCardColumns(brandId, now)}
    from (select * from (${listed(true)} union all ${listed(false)}) both_lists
      order by is_featured desc, popularity desc, slug limit ${sql.lit(limit)}) r
    order by r.is_featured desc, r.popularity desc, r.slug`.execute(db);
  return rows.map((row) => toRetailerCard(row, now)).filter((card) => card.bestRate);
}
