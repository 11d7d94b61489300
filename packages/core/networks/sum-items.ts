import { pence } from "../money/money.ts";
import type { DeclineReason } from "./decline-reason.ts";
import type { NetworkStatus, TransactionPart } from "./network-transaction.ts";

/** An item of a sale at a network that approves item by item. */
export interface TransactionItem extends TransactionPart {
  status: "pending" | "approved" | "declined";
  reason: DeclineReason | null;
}

/** What a sale is worth as its items stand. */
export interface SumOfItems {
  status: NetworkStatus;
  saleMinor: number;
  commissionMinor: number;
  parts: TransactionPart[];
  reason: DeclineReason | null;
}

/**
 * Returns the sale that items add up to (C2). Declined items are worth nothing; the sale is pending while any item is, approved when the others are,
 * and declined, at its full amount, when all are.
 * @throws RangeError without an item
 */
export function sumItems(items: readonly TransactionItem[]): SumOfItems {
  if (items.length === 0) throw new RangeError("a sale without items");
  const counted = items.filter((item) => item.status !== "declined");
  const status =
    counted.length === 0 ? "declined" : counted.some((item) => item.status === "pending") ? "pending" : "approved";
  const worth = status === "declined" ? items : counted;
  const declined = items.find((item) => item.status === "declined");
  return {
    status,
    saleMinor: pence(worth.reduce((total, item) => total + item.saleMinor, 0)),
    commissionMinor: pence(worth.reduce((total, item) => total + item.commissionMinor, 0)),
    parts: worth.map(({ groupId, groupCode, saleMinor, commissionMinor }) => ({
      groupId,
      groupCode,
      saleMinor,
      commissionMinor,
    })),
    reason: status === "declined" ? (declined?.reason ?? "not_given") : declined ? "amended" : null,
  };
}
