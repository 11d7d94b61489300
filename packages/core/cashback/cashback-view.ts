/** What the member's timeline shows (C3). Amounts are integer pence. */

import type { DecisionFacts } from "../networks/decline-reason.ts";

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
  /** Who decided, and what the member can do about it; null where nothing was declined or changed. */
  decision: DecisionFacts | null;
  /** True where it takes longer than the member was told. */
  isOverdue: boolean;
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

/** A purchase on a page of its own, with everything that is known of it. */
export interface PurchaseView extends CashbackItem {
  isCorrection: boolean;
  /** What the member was told to expect, newest first; empty for a purchase that was never watched. */
  told: { awaits: "confirmation" | "payment"; range: { from: Date; to: Date } | null; because: string; toldAt: Date }[];
  /** Other entries of the same order: the purchase of a correction, and the corrections of a purchase. */
  related: { id: string; isCorrection: boolean; cashbackPence: number; at: Date }[];
}

/** What the money page shows. All sums are of the ledger or of rows that triggers and operations keep in step with it. */
export interface MoneyView {
  balances: CashbackTimeline["balances"];
  /**
   * Money on its way, by the month in which it should have taken its next step; only dated purchases, soonest first. `toConfirm` of the purchases are
   * to be confirmed by then, and become the member's later; the others become theirs.
   */
  coming: { month: Date; purchases: number; toConfirm: number; pence: number }[];
  /** On its way without a date, or beyond the purchases that `coming` counts. */
  laterPence: number;
  /** The purchases whose next step is due soonest, overdue ones left out. */
  next: ComingPurchase[];
  overdue: { purchases: number; pence: number; first: ComingPurchase | null };
  /** The latest months with a purchase, newest first. */
  months: {
    month: Date;
    purchases: number;
    comingPence: number;
    yoursPence: number;
    paidPence: number;
    declinedPence: number;
  }[];
}

export interface ComingPurchase {
  id: string;
  retailer: { slug: string; name: string };
  cashbackPence: number;
  awaits: "confirmation" | "payment";
  expected: { from: Date; to: Date };
}
