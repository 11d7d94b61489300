/** The words that a category's retailers and offers are written from. Slots in braces are filled by the writers. */
export interface CategoryGrammar {
  slug: string;
  name: string;
  /** Awin's primarySector. */
  sector: string;
  /** The text of the category's page, long enough to be collapsed. */
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
  /** A typical basket, in pounds. */
  basket: readonly [min: number, max: number];
  trades: readonly Trade[];
  /** Occasions: "the back-to-school event". */
  seasons: readonly string[];
  /** Free things: "alterations on trousers". "Books> a bookmark set" is only for the trade of that word. */
  perks: readonly string[];
  /** Exclusions of offers, as the words after "Not on ". */
  leavesOut: readonly string[];
  /** Sentences about such a retailer. Slots: {name} {sells} {thing} {thing2}. "Boots> …" is only for the trade of that word. */
  says: readonly string[];
}

export interface Trade {
  /** The second word of the retailer's name: "Boots". */
  word: string;
  /** After "sells": "walking boots, work boots and trail shoes". */
  sells: string;
  /** Plural or mass nouns for titles, with what they cost from, where that is not the category's smallest basket: "walking boots £89". */
  things: readonly string[];
  /** Goods that belong in another category as well: its slug, and their names as in `things`. */
  also?: Readonly<Record<string, readonly string[]>>;
  adultsOnly?: true;
}

/** Returns the sentences for a trade: those for all trades of its category, and its own. */
export function suiting(sentences: readonly string[], trade: Trade): string[] {
  return sentences
    .map((sentence) => sentence.split("> "))
    .filter((parts) => parts.length === 1 || parts[0] === trade.word)
    .map((parts) => parts.at(-1) as string);
}

/** Splits "walking boots £89" into its parts. */
export function thingOf(entry: string): { thing: string; price: number | null } {
  const found = /^(.+) £(\d+)$/.exec(entry);
  return found === null ? { thing: entry, price: null } : { thing: found[1] as string, price: Number(found[2]) };
}

/** The set of offer sentences that fits. */
export type OfferFamily =
  | "goods"
  | "food"
  | "dining"
  | "contract"
  | "cover"
  | "travel"
  | "stay"
  | "tickets"
  | "motoring";
