/** One sale in the words all networks share (reference: canonical model). Adapters make it; everything behind them reads only this. */
import type { DeclineReason } from "./decline-reason.ts";

export type NetworkStatus = "pending" | "approved" | "declined" | "deleted";

/** What a commission group earned in this sale. Amounts are minor units of the transaction's currency. */
export interface TransactionPart {
  /** The network's commission group; null where it names none. */
  groupId: string | null;
  /** Its code, where the network has both: rate tiers may be kept under either. */
  groupCode: string | null;
  saleMinor: number;
  commissionMinor: number;
}

export interface ReportedTransaction {
  networkTransactionId: string;
  /** The network's id of the retailer's programme. */
  networkProgrammeId: string;
  /** The click's reference as it came back; null where it was lost. */
  clickReference: string | null;
  status: NetworkStatus;
  /** ISO 4217; sale, commission and parts are in its minor units. */
  currency: string;
  saleMinor: number;
  commissionMinor: number;
  /** Empty where the network gives no parts. */
  parts: TransactionPart[];
  /** The network has paid the club for it. */
  paidToPublisher: boolean;
  /** Why it was declined or changed; null where the network says nothing or there is nothing to say. */
  reason: DeclineReason | null;
  orderReference: string | null;
  purchasedAt: Date;
  clickedAt: Date | null;
  validatedAt: Date | null;
  /** The latest of the network's own dates: of two revisions, the one with the later date holds. */
  modifiedAt: Date;
  /** When the question was asked that this answers: decides between revisions with equal dates. */
  observedAt: Date;
  /** The row exactly as the network gave it. */
  raw: unknown;
}

/** A revision's place among those of one transaction. */
export interface RevisionOrder {
  modifiedAt: Date;
  observedAt: Date;
  status: NetworkStatus;
  hash: string;
}

const FINALITY: Readonly<Record<NetworkStatus, number>> = { pending: 0, approved: 1, declined: 1, deleted: 2 };

/**
 * Whether `next` holds over `current`, so that any order of delivery ends in the same state: by the network's dates, then by when
 * we asked, then the more final status, then (same instant, same status) by hash, which at least is the same everywhere.
 */
export function supersedes(next: RevisionOrder, current: RevisionOrder): boolean {
  return (
    (next.modifiedAt.getTime() - current.modifiedAt.getTime() ||
      next.observedAt.getTime() - current.observedAt.getTime() ||
      FINALITY[next.status] - FINALITY[current.status] ||
      (next.hash > current.hash ? 1 : next.hash < current.hash ? -1 : 0)) > 0
  );
}
