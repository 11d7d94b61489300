/** What the member's timeline shows (C3). Amounts are integer pence. */

export type CashbackState = "tracked" | "confirmed" | "payable" | "paid" | "declined";

/** A change of a purchase's amount. */
export interface AmountChange {
  at: Date;
  wasPence: number;
  isPence: number;
  /** One sentence for the member. */
  because: string;
}

export interface TimelineStep {
  step: "clicked" | "tracked" | "amended" | "confirmed" | "payable" | "paid" | "declined";
  /** When it happened; null where it has not yet. */
  at: Date | null;
  /** When it is expected; null where it has happened or no date is promised. */
  expected: { from: Date; to: Date } | null;
  /** Set on an amended step. */
  amounts?: AmountChange;
}

export interface CashbackItem {
  id: string;
  /** The click number, which the member can quote. */
  clickNumber: string;
  retailer: { slug: string; name: string };
  offerTitle: string | null;
  state: CashbackState;
  purchasePence: number;
  cashbackPence: number;
  /** One sentence for the member: why it was declined or changed; null where no reason applies. */
  reason: string | null;
  purchasedAt: Date;
  steps: TimelineStep[];
}

/** A click without a purchase so far. */
export interface OpenClick {
  clickNumber: string;
  retailer: { slug: string; name: string };
  clickedAt: Date;
  /** When the purchase should be tracked at the latest. */
  tracksBy: Date;
}

export interface CashbackTimeline {
  /** Sums of the ledger: tracked and not confirmed; confirmed and not payable; payable; paid. */
  balances: { trackedPence: number; confirmedPence: number; payablePence: number; paidPence: number };
  /** One page of the history, newest first. */
  items: CashbackItem[];
  /** Cursors of the pages beside it (history-cursor.ts); null where there is none. */
  newer: string | null;
  older: string | null;
  /** True where the page asked for does not exist; `items` are the newest ones then. */
  isPageUnknown: boolean;
  openClicks: OpenClick[];
}
