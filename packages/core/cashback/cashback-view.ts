/** What the member's timeline shows (product.md C3). Amounts are integer pence; a range is a pair of dates. */

export type CashbackState = "tracked" | "confirmed" | "payable" | "paid" | "declined";

/** The amount of a purchase changed, and the old one is not forgotten. */
export interface AmountChange {
  at: Date;
  wasPence: number;
  isPence: number;
  /** One plain sentence. */
  because: string;
}

export interface TimelineStep {
  step: "clicked" | "tracked" | "amended" | "confirmed" | "payable" | "paid" | "declined";
  /** When it happened; null where it is still expected. */
  at: Date | null;
  /** When it is expected; null where it has happened or nothing is promised. */
  expected: { from: Date; to: Date } | null;
  /** Of an amended step. */
  amounts?: AmountChange;
}

export interface CashbackItem {
  id: string;
  /** The number of the click's receipt, as the member can quote it. */
  clickNumber: string;
  retailer: { slug: string; name: string };
  offerTitle: string | null;
  state: CashbackState;
  purchasePence: number;
  cashbackPence: number;
  /** In one plain sentence, why it was declined or changed; null where nothing needs saying. */
  reason: string | null;
  purchasedAt: Date;
  steps: TimelineStep[];
}

/** A click that nothing has come of yet. */
export interface OpenClick {
  clickNumber: string;
  retailer: { slug: string; name: string };
  clickedAt: Date;
  /** By when the purchase should have tracked. */
  tracksBy: Date;
}

export interface CashbackTimeline {
  /** Sums of the ledger: tracked but not yet sure; sure but not yet payable; payable now; paid so far. */
  balances: { trackedPence: number; confirmedPence: number; payablePence: number; paidPence: number };
  items: CashbackItem[];
  openClicks: OpenClick[];
}
