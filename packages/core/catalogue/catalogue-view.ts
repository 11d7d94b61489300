/**
X
 * Money is integer pence; rates are basis points (600 = 6 %). Public ids are random tokens.
 */

/** In the order in which pages name them. */
export const offerKinds = ["cashback", "code", "deal", "in_store", "gift_card", "app_exclusive"] as const;
import type { Scorecard } from "../scorecards/rules.ts";
import type { CodeHealth } from "../votes/rules.ts";

export type OfferKind = (typeof offerKinds)[number];

/** What a member earns. `boostedUntil` is set while a boost holds, and `usual` is then the rate without it. */
export type RateView = { label: string; basis: string; capPence: number | null; boostedUntil: Date | null } & (
  | { kind: "percent"; rateBp: number; usualBp: number }
  | { kind: "fixed"; ratePence: number; usualPence: number }
);

export interface RetailerName {
  slug: string;
  name: string;
}

/** One offer in a list. The link is /offers/{slug}?offer={publicId}. */
export interface OfferCard {
  publicId: string;
  slug: string;
  kind: OfferKind;
  title: string;
  /** What you get, in the largest type on the card: "15% off". */
  headline: string;
  retailer: RetailerName;
  /** One line of the terms that matter, or null. */
  termsLine: string | null;
  endsAt: Date | null;
  adultsOnly: boolean;
}

export interface RetailerCard extends RetailerName {
  shortInfo: string;
  /** The best rate now, or null where the retailer pays none. */
  bestRate: RateView | null;
  /** True where there is more than one tier: pages say "up to" only together with the lowest tier. */
  hasTiers: boolean;
  lowestRate: RateView | null;
  liveOffers: number;
}

export interface CategoryCard {
  slug: string;
  name: string;
  liveOffers: number;
}

/** When the money arrives, in days (product.md D3). */
export interface TrackingFacts {
  tracksWithinDays: { min: number; max: number };
  confirmsWithinDays: { min: number; max: number };
  confirmsAfter: "purchase" | "travel" | "stay";
  acceptsClaims: boolean;
}

export type RetailerStatus = "active" | "paused" | "in_administration" | "closed";

export interface RetailerPage extends RetailerName {
  shortInfo: string;
  longInfo: string;
  terms: string;
  homepageUrl: string;
  status: RetailerStatus;
  adultsOnly: boolean;
  categories: { slug: string; name: string; isMain: boolean }[];
  rates: RateView[];
  tracking: TrackingFacts;
  /** How it dealt with members' purchases; null below 30 of them. */
  scorecard: Scorecard | null;
  /** Those whose codes fail just now are last. */
  offers: OfferCard[];
  similar: RetailerCard[];
}

export interface OfferVariant {
  publicId: string;
  label: string;
}

/** `state` decides what the page can do: a live one has a button; the others explain and lead on (product.md O1). */
export interface OfferPage {
  id: string;
  publicId: string;
  slug: string;
  kind: OfferKind;
  state: "live" | "upcoming" | "expired" | "withdrawn";
  title: string;
  headline: string;
  description: string;
  terms: string;
  exclusions: string;
  startsAt: Date;
  endsAt: Date | null;
  adultsOnly: boolean;
  retailer: RetailerName & { status: RetailerStatus; shortInfo: string };
  categories: { slug: string; name: string }[];
  variants: OfferVariant[];
  /** Whether there is a code to reveal, and whether each member gets one of their own. */
  code: { codeKind: "shared" | "pool"; available: boolean } | null;
  /** What members say of its code; null where nobody has said anything for a week. */
  codeHealth: CodeHealth | null;
  rates: RateView[];
  tracking: TrackingFacts;
  scorecard: Scorecard | null;
  similar: OfferCard[];
}

/** How a listing is narrowed; null narrows nothing. */
export interface OfferFilter {
  kind: OfferKind | null;
  /** A category's slug. */
  category: string | null;
  /** Only at retailers that pay at least this, in basis points. */
  leastBp: number | null;
}

/** How many there are of each kind, whatever kind the listing is narrowed to. */
export type KindCounts = Partial<Record<OfferKind, number>>;

export interface CategoryPage {
  slug: string;
  name: string;
  body: string;
  sort: OfferSort;
  kinds: KindCounts;
  page: number;
  pageCount: number;
  total: number;
  offers: OfferCard[];
}

export type OfferSort = "popular" | "newest" | "ending";

export interface HomePage {
  featured: OfferCard[];
  /** Offers of the categories that matter most to the brand's members. */
  lead: OfferCard[];
  latest: OfferCard[];
  endingSoon: OfferCard[];
  cashbackRetailers: RetailerCard[];
  categories: CategoryCard[];
}

export interface SearchPage {
  /** As typed, trimmed and cut to 200 characters. */
  query: string;
  /** The words searched for instead, where the ones typed are unknown: "Showing results for …". */
  corrected: string | null;
  sort: "relevance" | OfferSort;
  page: number;
  pageCount: number;
  /** Offers found. */
  total: number;
  /** True where there are more than `total` offers: counting stops there, and pages say "more than". */
  totalIsMinimum?: boolean;
  /** Null where there are too many to count. */
  kinds: KindCounts | null;
  retailers: RetailerCard[];
  categories: CategoryCard[];
  offers: OfferCard[];
}
