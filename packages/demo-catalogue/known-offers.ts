import knownOffersJson from "@farthing/db/seeds/known-offers.json" with { type: "json" };

/** The five kinds of demo offer: a shared code, a pool of codes, a deal by link, in store, in the app. */
export type DemoKind = "code" | "pool" | "deal" | "in_store" | "app";

/**
 * An offer that is in every demo catalogue under the same network id (Awin's promotionId). There is one for each case that pages and tests need. Days count
 * from the catalogue's moment; an offer whose end is null does not end.
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
  /** Codes that are each for one member. An empty list is a pool that has run out. */
  pool?: readonly string[];
  variants?: readonly string[];
  brands?: readonly string[];
  adultsOnly?: true;
  popularity?: number;
}

export const knownOffers = knownOffersJson as readonly KnownOffer[];
