import type { Brand } from "@farthing/core/brands/brand.ts";
import type { CatalogueReads } from "../../../server/catalogue-reads.ts";
import { toRetailerRow } from "../../ui/lists/retailer-row.ts";
import { leadOf } from "./home-lead.ts";

/** How many logos the carousel shows. The grid shows those after them. */
const LOGOS_IN_CAROUSEL = 12;

export type HomeData = Awaited<ReturnType<typeof findHomeData>>;

/** Returns what the home page shows, section by section. */
export async function findHomeData(
  catalogue: Pick<CatalogueReads, "findHomePage">,
  brand: Pick<Brand, "id" | "home" | "menu">,
  now: Date,
) {
  const lead = leadOf(brand.menu);
  const found = await catalogue.findHomePage({ brandId: brand.id, now, leadCategories: lead?.categories ?? [] });
  // Where there are too few for both, the grid has them all.
  const forCarousel = found.cashbackRetailers.length >= 2 * LOGOS_IN_CAROUSEL ? LOGOS_IN_CAROUSEL : 0;
  return {
    now,
    sections: brand.home,
    offers: found.featured.slice(0, 8),
    lead: lead && { label: lead.label, href: lead.href, offers: found.lead },
    latest: found.latest.slice(0, 4),
    ending: found.endingSoon.slice(0, 6),
    logos: found.cashbackRetailers.slice(0, forCarousel).map(toRetailerRow),
    cashback: found.cashbackRetailers.slice(forCarousel, forCarousel + 42).map(toRetailerRow),
    categories: found.categories,
  };
}
