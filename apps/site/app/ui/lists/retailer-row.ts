import type { RetailerCard, RetailerStatus } from "@farthing/core/catalogue/catalogue-view.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";

/** What a tile or a row shows of a retailer. Pages with many retailers send no more than this. */
export interface RetailerRow {
  slug: string;
  name: string;
  /** The rate in words, the number of offers, or why there are none. */
  line: string;
}

/** What is said after the name of a retailer that is not active. */
export const stoppedWords = {
  paused: "has paused its offers",
  in_administration: "is in administration",
  closed: "has closed",
} as const;

export function toRetailerRow({
  slug,
  name,
  liveOffers,
  status = "active",
  ...rates
}: RetailerCard & { status?: RetailerStatus }): RetailerRow {
  if (status !== "active") return { slug, name, line: asLine(stoppedWords[status]) };
  return { slug, name, line: summariseRates(rates) ?? offerCount(liveOffers) };
}

function asLine(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function offerCount(offers: number): string {
  return offers === 0 ? "No offers just now" : offers === 1 ? "1 offer" : `${offers} offers`;
}
