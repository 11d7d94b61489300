import type { RetailerCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";

/** What a tile or a row shows of a retailer. Pages with many retailers send no more than this. */
export interface RetailerRow {
  slug: string;
  name: string;
  /** The rate in words, or the number of offers. */
  line: string;
}

export function toRetailerRow({ slug, name, liveOffers, ...rates }: RetailerCard): RetailerRow {
  return { slug, name, line: summariseRates(rates) ?? offerCount(liveOffers) };
}

export function offerCount(offers: number): string {
  return offers === 0 ? "No offers just now" : offers === 1 ? "1 offer" : `${offers} offers`;
}
