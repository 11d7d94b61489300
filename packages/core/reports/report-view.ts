/**
 * What reports return (T7). Counts of views and redemptions come from visitors who agreed to telemetry; reveals, clicks and everything after are the
 * club's own records of all members. So a step may be larger than the one before it.
 */

/** One brand on one day, or in the whole range. */
export interface FunnelCounts {
  /** OfferPage events. */
  views: number;
  /** OfferRedeemed events: presses of reveal, copy, get-deal and continue. */
  redemptions: number;
  /** Codes that were shown to members. */
  reveals: number;
  /** Redirects to retailers. */
  clicks: number;
  /** Of the clicks, those that a purchase was tracked for, until now. */
  tracked: number;
  /** Of the clicks, those whose purchase the retailer has confirmed, until now. */
  confirmed: number;
  /** Of purchases that are not declined. */
  salePence: number;
  cashbackPence: number;
}

export interface Funnel {
  total: FunnelCounts;
  /** What of the total began on the page of a retailer, and so never was a view of an offer. */
  ofRetailers: Pick<FunnelCounts, "clicks" | "tracked" | "confirmed">;
  /** By brand and day in London, where anything happened. */
  days: (FunnelCounts & { brand: string; day: string })[];
}

export interface SearchedTerm {
  brand: string;
  term: string;
  searches: number;
  /** How much the search found when it was looked up last; null: not looked up yet. */
  results: number | null;
  checkedAt: Date | null;
}

export interface OfferConversion extends FunnelCounts {
  brand: string;
  /** Public id. */
  offer: string;
  title: string;
  retailer: string;
}

export interface BrandFigures extends FunnelCounts {
  brand: string;
  searches: number;
  /** Members who joined and left in the range. */
  joined: number;
  left: number;
  /** Members at the end of the range. */
  members: number;
}

export interface MemberGrowth {
  brand: string;
  day: string;
  joined: number;
  left: number;
  /** Members at the end of the day. */
  members: number;
}
