/** The words that a category's retailers and offers are written from. Slots in braces are filled by the writers. */
export interface CategoryGrammar {
  slug: string;
  name: string;
  /** Awin's primarySector. */
  sector: string;
  /** The category page's text: long enough to be collapsed. */
  body: string;
  family: OfferFamily;
  rate: { kind: "percent"; minBp: number; maxBp: number } | { kind: "fixed"; minPence: number; maxPence: number };
  /** Labels of rate tiers: each inner list is one way a retailer of this category splits its rates, best rate first. */
  tiers: readonly (readonly string[])[];
  basis: string;
  tracks: readonly [min: number, max: number];
  confirms: readonly [min: number, max: number];
  confirmsAfter: "purchase" | "travel" | "stay";
  hasStores: boolean;
  /** A usual basket, in pounds. */
  basket: readonly [min: number, max: number];
  trades: readonly Trade[];
  /** Occasions: "the back-to-school event". */
  seasons: readonly string[];
  /** Free things: "alterations on trousers". */
  perks: readonly string[];
  /** What offers leave out, as it stands after "Not on ". */
  leavesOut: readonly string[];
  /** Sentences about such a retailer. Slots: {name} {sells} {thing} {thing2}. */
  says: readonly string[];
}

export interface Trade {
  /** The second word of the retailer's name: "Boots". */
  word: string;
  /** After "sells": "walking boots, work boots and trail shoes". */
  sells: string;
  /** Plural or mass nouns for titles: "walking boots". */
  things: readonly string[];
  adultsOnly?: true;
}

/** Which set of offer sentences fits. */
export type OfferFamily = "goods" | "food" | "dining" | "contract" | "cover" | "travel" | "stay" | "tickets" | "motoring";
