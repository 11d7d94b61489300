/** A sale in terms that all networks share. Adapters create it, and nothing behind them reads a network's own format. */
import type { RateMicros } from "../money/money.ts";
import type { DeclineReason } from "./decline-reason.ts";

export type NetworkStatus = "pending" | "approved" | "declined" | "deleted";

export type TransactionKind = "sale" | "lead";

/** The part of a sale that belongs to one commission group. Amounts are minor units of the transaction's currency. */
export interface TransactionPart {
  /** The network's commission group; null where it names none. */
  groupId: string | null;
  /** The group's code, where the network has both: a rate tier may be stored under either. */
  groupCode: string | null;
  saleMinor: number;
  commissionMinor: number;
}

/**
 * One row of a network that never changes what it has reported: it corrects a sale by further rows, and a sale is the sum of its rows. A row is found
 * again by its own id, so one that arrives twice counts once (correction-rows.ts).
 */
export interface CorrectionRow {
  /** The network's id of the row. */
  rowId: string;
  /** Whether the row reports the sale; the others correct it. A correction that arrives before its original waits for it. */
  isOriginal: boolean;
}

/** When a network that reports no status approves a sale and pays for it, unless a correction comes first. */
export interface SettlementCalendar {
  approvedFrom: Date;
  paidFrom: Date;
}

export interface ReportedTransaction {
  /** The network's id of the sale, as text: ids may exceed 2^53. */
  networkTransactionId: string;
  /** The network's id of the retailer's programme. */
  networkProgrammeId: string;
  /** The click's reference as the network returns it; null where it was lost. */
  clickReference: string | null;
  status: NetworkStatus;
  /** ISO 4217; sale, commission and parts are in its minor units. */
  currency: string;
  saleMinor: number;
  commissionMinor: number;
  /** Empty where the network does not split its sales. */
  parts: TransactionPart[];
  /** Whether the network has paid the club for it. */
  paidToPublisher: boolean;
  /** When the network paid the club, where it says so. */
  paidAt?: Date | null;
  /** A lead is an action without a sale (a quote, a registration): its sale is zero, its commission is not. Without a value: a sale. */
  kind?: TransactionKind;
  /**
   * Set by networks whose corrections are further rows: amounts and parts are then this row's alone, and may be negative. Null or absent: the
   * row is the whole transaction and replaces what was reported before.
   */
  correction?: CorrectionRow | null;
  /** Set by networks that report no status. `status` is then `pending`. */
  calendar?: SettlementCalendar | null;
  /** Pounds per unit of `currency`, at the network's own figure; null or absent: the club's table of exchange rates applies. */
  exchangeRateMicros?: RateMicros | null;
  /** Why it was declined or changed; null where it was not. */
  reason: DeclineReason | null;
  orderReference: string | null;
  purchasedAt: Date;
  clickedAt: Date | null;
  validatedAt: Date | null;
  /** When the network decides by itself, where its report says so: CJ's and Impact's locking date, the end of Awin's validation period. */
  locksAt?: Date | null;
  /** The latest of the network's own dates: of two revisions, the later one wins. */
  modifiedAt: Date;
  /** When the report was requested: decides between revisions with equal dates. */
  observedAt: Date;
  /** The row exactly as the network sent it. */
  raw: unknown;
}

/** What orders the revisions of one transaction. */
export interface RevisionOrder {
  modifiedAt: Date;
  observedAt: Date;
  status: NetworkStatus;
  hash: string;
}

const FINALITY: Readonly<Record<NetworkStatus, number>> = { pending: 0, approved: 1, declined: 1, deleted: 2 };

/**
 * Returns whether `next` replaces `current`, so that any order of delivery ends in the same state. The later network date wins, then the later
 * request, then the more final status, then the greater hash. The hash is arbitrary, but the same everywhere.
 */
export function supersedes(next: RevisionOrder, current: RevisionOrder): boolean {
  return (
    (next.modifiedAt.getTime() - current.modifiedAt.getTime() ||
      next.observedAt.getTime() - current.observedAt.getTime() ||
      FINALITY[next.status] - FINALITY[current.status] ||
      (next.hash > current.hash ? 1 : next.hash < current.hash ? -1 : 0)) > 0
  );
}
