/**
 * What pages show of the catalogue: shapes only. The queries in offers/, retailers/, categories/ and home/ fill them, and search's; the site renders
 * them. Money is integer pence; rates are basis points (600 = 6 %). Public ids are random tokens.
 */

import type { Scorecard } from "../scorecards/rules.ts";
import type { CodeHealth } from "../votes/rules.ts";

/** In the order in which pages name them. */
export const offerKinds = ["cashback", "code", "deal", "in_store", "gift_card", "app_exclusive"] as const;
export type OfferKind = (typeof offerKinds)[number];

/** What a member earns. `boostedUntil` is set during a boost; the `usual` rate is then the one without it. */
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
  /** In the largest type on the card: "15% off". */
  headline: string;
  retailer: RetailerName;
  /** The first sentence of the exclusions or terms, or null. */
  termsLine: string | null;
  endsAt: Date | null;
  adultsOnly: boolean;
  /** What a purchase with the offer also earns now, in words: "plus 6% cashback"; null where it earns none, and for a cashback offer. */
  plusCashback: string | null;
}

/** An offer of a list whose cards are read a page at a time. */
export type ListedOffer = Pick<OfferCard, "publicId" | "kind" | "endsAt"> & { startsAt: Date };

export interface RetailerCard extends RetailerName {
  shortInfo: string;
  /** The best rate now; null where the retailer pays none. */
  bestRate: RateView | null;
  /** Whether there is more than one tier: pages say "up to" only together with the lowest tier. */
  hasTiers: boolean;
  lowestRate: RateView | null;
  liveOffers: number;
}

export interface CategoryCard {
  slug: string;
  name: string;
  liveOffers: number;
}

/** When the money arrives, in days (D3). */
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
  /** Null below 30 purchases. */
  scorecard: Scorecard | null;
  /** All live offers, the most popular first; those whose codes fail at present are last. */
  offers: ListedOffer[];
  similar: RetailerCard[];
}

export interface OfferVariant {
  publicId: string;
  label: string;
}

/** How a deal link leads to the shop: `tracked` through a network, or `untracked`, a visit that earns nothing. */
export type DealLink = "tracked" | "untracked";

/** Only a `live` offer has a button; pages of other states explain and suggest other offers (O1). */
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
  /** Null where no deal link can be followed. */
  dealLink: DealLink | null;
  /** Null where there is no code to reveal. Each member gets their own code from a `pool`. */
  code: { codeKind: "shared" | "pool"; available: boolean } | null;
  /** Members' votes on its code; null without a vote in the last week. */
  codeHealth: CodeHealth | null;
  rates: RateView[];
  tracking: TrackingFacts;
  scorecard: Scorecard | null;
  similar: OfferCard[];
}

/** The filters of a listing; null does not filter. */
export interface OfferFilter {
  kind: OfferKind | null;
  /** A category's slug. */
  category: string | null;
  /** The minimum rate of the retailer, in basis points. */
  minBp: number | null;
}

/** The number of offers of each kind, whatever kind the listing is filtered by. */
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

/** A retailer that is not active; its page says what that means for a buyer. */
export interface StoppedRetailer extends RetailerName {
  status: Exclude<RetailerStatus, "active">;
}

export interface SearchPage {
  /** As typed, trimmed and cut to 200 characters. */
  query: string;
  /** The words searched for instead, where the ones typed are unknown: "Showing results for …". */
  corrected: string | null;
  /** What may have been meant, where nothing was found and a correction is too doubtful to be made: "Did you mean …?" */
  didYouMean: string | null;
  /** The words that were typed and not searched for, because no offer has them or none has them all. Empty where nothing was found. */
  leftOut: string[];
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
  /** Retailers found: of a search for them alone at most MAX_RETAILERS, else as many as are shown. */
  retailerTotal: number;
  /** True where there are more than `retailerTotal`. */
  retailersAreMore: boolean;
  /** Of a search for retailers alone; else 1 of 1. */
  retailerPage: number;
  retailerPageCount: number;
  /** The retailer whose name was typed, where it is paused, in administration or closed: `retailers` has none of these. */
  stopped: StoppedRetailer | null;
  categories: CategoryCard[];
  offers: OfferCard[];
}
