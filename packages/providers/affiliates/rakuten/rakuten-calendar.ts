import type { SettlementCalendar } from "@farthing/core/networks/network-transaction.ts";

const DAY_MS = 86_400_000;

export interface RakutenCalendarOptions {
  /** Days after a row is processed in which the retailer may still correct it. */
  holdDays: number;
  /** The day of the month on which Rakuten pays. */
  paymentDay: number;
}

/**
 * Returns when a row is approved and paid for (C3). Rakuten reports no status: a sale that is not corrected within the hold stands, and is paid on the first
 * payment day after it.
 */
export function rakutenCalendar(
  processedAt: Date,
  { holdDays, paymentDay }: RakutenCalendarOptions,
): SettlementCalendar {
  const approvedFrom = new Date(processedAt.getTime() + holdDays * DAY_MS);
  const sameMonth = Date.UTC(approvedFrom.getUTCFullYear(), approvedFrom.getUTCMonth(), paymentDay);
  const paidFrom =
    sameMonth >= approvedFrom.getTime()
      ? sameMonth
      : Date.UTC(approvedFrom.getUTCFullYear(), approvedFrom.getUTCMonth() + 1, paymentDay);
  return { approvedFrom, paidFrom: new Date(paidFrom) };
}
