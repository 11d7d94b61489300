/** A sale in terms that all networks share. Adapters create it, and nothing behind them reads a network's own format. */
import type { DeclineReason } from "./decline-reason.ts";

export type NetworkStatus = "pending" | "approved" | "declined" | "deleted";

/** The part of a sale that belongs to one commission group. Amounts are minor units of the transaction's currency. */
export interface TransactionPart {
  /** The network's commission group; null where it names none. */
  groupId: string | null;
  /** The group's code, where the network has both: a rate tier may be stored under either. */
  groupCode: string | null;
  saleMinor: number;
  commissionMinor: number;
}

export interface ReportedTransaction {
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
 * Returns whether `next` replaces `current`, so that any order of delivery ends in the same state: the later network date wins, then the later
 * request, then the more final status, then the greater hash, which is arbitrary but the same everywhere.
 */
export function supersedes(next: RevisionOrder, current: RevisionOrder): boolean {
  return (
    (next.modifiedAt.getTime() - current.modifiedAt.getTime() ||
      next.observedAt.getTime() - current.observedAt.getTime() ||
      FINALITY[next.status] - FINALITY[current.status] ||
      (next.hash > current.hash ? 1 : next.hash < current.hash ? -1 : 0)) > 0
  );
}
