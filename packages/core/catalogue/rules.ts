import type { OfferPage, RetailerStatus } from "./catalogue-view.ts";

/** Rates to narrow by, in whole percent. Here and not with the schemas, whose library has no business in the browser. */
export const rateChoices = [2, 5, 10] as const;

/** Cards on a page of a listing or of search results. */
export const OFFERS_PER_PAGE = 24;

/** Retailers on a page of the A–Z. */
export const RETAILERS_PER_PAGE = 240;

/**
 * What can be done with an offer at `now` (product.md O1). Only a live one has a button. An offer whose retailer is paused, in
 * administration or closed counts as withdrawn: following it would earn nothing, or lose the money.
 */
export function offerState(
  offer: { status: "live" | "withdrawn"; startsAt: Date; endsAt: Date | null; retailerStatus: RetailerStatus },
  now: Date,
): OfferPage["state"] {
  if (offer.endsAt && offer.endsAt <= now) return "expired";
  if (offer.status === "withdrawn" || offer.retailerStatus !== "active") return "withdrawn";
  return offer.startsAt > now ? "upcoming" : "live";
}

const TERMS_LINE_LENGTH = 100;

/** The line of the terms that a card shows: the first sentence of the exclusions, else of the terms; null without either. */
export function termsLine({ exclusions, terms }: { exclusions: string; terms: string }): string | null {
  const text = (exclusions.trim() || terms.trim()).replace(/\s+/g, " ");
  const sentence = (/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\.$/, "");
  if (sentence === "") return null;
  if (sentence.length <= TERMS_LINE_LENGTH) return sentence;
  const cut = sentence.slice(0, TERMS_LINE_LENGTH - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(" "), TERMS_LINE_LENGTH / 2))
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

/** How many pages `total` cards fill: at least one, so that an empty listing is page 1 of 1. */
export function countPages(total: number, perPage: number = OFFERS_PER_PAGE): number {
  return Math.max(1, Math.ceil(total / perPage));
}
