import type { CategoryCard, OfferCard, RateView, TrackingFacts } from "@farthing/core/catalogue/catalogue-view.ts";
import type { RetailerRow } from "../lists/retailer-row.ts";

/**
 * What the examples of several parts show. The retailers and categories are the demo catalogue's, so that their
 * art exists.
 */

/** The moment at which all examples are shown. */
export const NOW = new Date("2026-11-20T12:00:00Z");

export const LONG_TITLE =
  "25% off selected waterproof walking boots, gaiters and merino socks when you spend £150 or more in one order";

export const offer: OfferCard = {
  publicId: "example",
  slug: "walking-boots",
  kind: "code",
  title: "15% off walking boots",
  headline: "15% off",
  retailer: { slug: "fernhollow-boots", name: "Fernhollow Boots" },
  termsLine: "New customers only",
  endsAt: null,
  adultsOnly: false,
  plusCashback: "plus 6% cashback",
};

export const retailer: RetailerRow = { slug: "fernhollow-boots", name: "Fernhollow Boots", line: "2% to 6% cashback" };

export const category: CategoryCard = { slug: "shoes-and-bags", name: "Shoes and bags", liveOffers: 24 };

const categorySlugs = [
  "shoes-and-bags",
  "womens-fashion",
  "mens-fashion",
  "electronics",
  "diy-and-garden",
  "eating-out",
];

/** Returns as many categories as asked for, at most six. */
export function categories(count: number): CategoryCard[] {
  return categorySlugs.slice(0, count).map((slug, index) => {
    const words = slug.replaceAll("-", " ");
    return { slug, name: words.charAt(0).toUpperCase() + words.slice(1), liveOffers: index };
  });
}

/** Returns as many offers as asked for, of all kinds in turn. */
export function offers(count: number): OfferCard[] {
  const kinds = ["cashback", "code", "deal", "in_store", "gift_card", "app_exclusive"] as const;
  return Array.from({ length: count }, (_, index) => ({
    ...offer,
    publicId: `example-${index}`,
    kind: kinds[index % kinds.length] ?? "deal",
    headline: `${index + 5}% off`,
  }));
}

/** Returns as many retailers as asked for. */
export function retailers(count: number): RetailerRow[] {
  return Array.from({ length: count }, (_, index) => ({
    ...retailer,
    slug: `fernhollow-boots-${index}`,
    name: index % 5 === 3 ? `The Great Northern Haberdashery Company ${index}` : `Retailer ${index}`,
  }));
}

export const rate: RateView = {
  label: "Everything",
  basis: "on the price without VAT",
  capPence: null,
  boostedUntil: null,
  kind: "percent",
  rateBp: 600,
  usualBp: 600,
};

export const tracking: TrackingFacts = {
  tracksWithinDays: { min: 1, max: 3 },
  confirmsWithinDays: { min: 35, max: 75 },
  confirmsAfter: "purchase",
  acceptsClaims: true,
};
