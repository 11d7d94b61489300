/** How large the club is. Everything else is in proportion. */
export interface ClubSize {
  members: number;
  offers: number;
  /** Entries of the ledger, within a few per cent. */
  entries: number;
  /** Clicks, within a few per cent. Without a number: three for each purchase. */
  clicks?: number;
}

/** A part of the load: what it makes, and its statements, in turn. */
export interface LoadStep {
  makes: string;
  statements: readonly string[];
}

/** The numbers of rows that the statements make. */
export interface RowCounts extends ClubSize {
  /** Members who have ever bought something. */
  shoppers: number;
  purchases: number;
  clicks: number;
  /** Clicks of a member at one shop, the last of which led to a purchase. */
  clicksPerPurchase: number;
  retailers: number;
  /** Returns `count` of a club of a million members, in proportion; at least `min`. */
  part(count: number, min?: number): number;
}
