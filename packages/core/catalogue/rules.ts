import type { OfferPage, RetailerStatus } from "./catalogue-view.ts";

/** Minimum rates that a listing can be filtered by, in whole percent. Kept apart from schema.ts, so that pages load no zod. */
export const rateChoices = [2, 5, 10] as const;

/** Cards on a page of a listing or of search results. */
export const OFFERS_PER_PAGE = 24;

/** Retailers on a page of the A–Z. */
export const RETAILERS_PER_PAGE = 240;

/**
 * Returns the state of an offer at `now` (O1). Only a live offer has a button. An offer whose retailer is paused, in administration or closed counts
 * as withdrawn: a member who followed it would earn nothing, or lose their money.
 */
export function offerState(
  offer: { status: "live" | "withdrawn"; startsAt: Date; endsAt: Date | null; retailerStatus: RetailerStatus },
  now: Date,
): OfferPage["state"] {
  if (offer.endsAt && offer.endsAt <= now) return "expired";
  if (offer.status === "withdrawn" || offer.retailerStatus !== "active") return "withdrawn";
  return offer.startsAt > now ? "upcoming" : "live";
}

const MAX_TERMS_LINE = 100;

/** Returns the line that a card shows: the first sentence of the exclusions, else of the terms; null without either. */
export function termsLine({ exclusions, terms }: { exclusions: string; terms: string }): string | null {
  const text = (exclusions.trim() || terms.trim()).replace(/\s+/g, " ");
  const sentence = (/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\.$/, "");
  if (sentence === "") return null;
  if (sentence.length <= MAX_TERMS_LINE) return sentence;
  const cut = sentence.slice(0, MAX_TERMS_LINE - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(" "), MAX_TERMS_LINE / 2))
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

/** Returns how many pages `total` cards fill: at least one, so that an empty listing is page 1 of 1. */
export function countPages(total: number, perPage: number = OFFERS_PER_PAGE): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/** From this number on, a category's offers are not counted for each request. */
const LARGE = 1_000;
/** Below this number they always are: ten pages. */
const SMALL = 10 * OFFERS_PER_PAGE;
/** The pages that are read from an index in their order; reading up to a later one takes longer than counting. */
const LEADING_PAGES = 3;

/**
 * Returns whether a page of a category with `total` offers is read from an index in its order, with the counts of the last indexing, instead of counting
 * (decision 060). `listed`: the offers of all categories. A category's offers are spread over the index, so that up to the end of a page some
 * `page * OFFERS_PER_PAGE * listed / total` are passed over, each in half the time of counting one.
 */
export function isReadInOrder({ total, listed, page }: { total: number; listed: number; page: number }): boolean {
  if (total < SMALL || page > LEADING_PAGES) return false;
  return total >= LARGE || page * OFFERS_PER_PAGE * listed <= 2 * total * total;
}
