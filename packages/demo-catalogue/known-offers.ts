import knownOffersJson from "@farthing/db/seeds/known-offers.json" with { type: "json" };

/** The five sorts of demo offer: a shared code, a code of one's own, a deal by link, in store, in the app. */
export type DemoKind = "code" | "pool" | "deal" | "in_store" | "app";

/**
 * Offers that are in every demo catalogue under the same network id (Awin's promotionId): one for each case that pages and tests need.
 * Days count from the moment the catalogue is made for; null ends never.
 */
export interface KnownOffer {
  networkOfferId: string;
  /** Slug of a known retailer. */
  retailer: string;
  kind: DemoKind;
  title: string;
  headline: string;
  says: string;
  startsInDays: number;
  endsInDays: number | null;
  code?: string;
  /** Codes that are each given once. An empty list is a pool that has run out. */
  pool?: readonly string[];
  variants?: readonly string[];
  brands?: readonly string[];
  adultsOnly?: true;
  popularity?: number;
}

export const knownOffers = knownOffersJson as readonly KnownOffer[];
