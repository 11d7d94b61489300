import type { Db } from "@farthing/db/client.ts";
import { findShownBalances } from "../ledger/balances.server.ts";
import type { CashbackTimeline } from "./cashback-view.ts";
import { findHistoryPage } from "./find-history.server.ts";
import { findOpenClicks } from "./find-open-clicks.server.ts";
import type { HistoryPlace } from "./history-cursor.ts";

/** Purchases and corrections on a page of the history. */
export const ITEMS_PER_PAGE = 20;

/**
 * Returns a member's balances from the ledger, one page of their purchases, newest first, and clicks without a purchase
 * so far. A place that leads to no page is answered with the newest page.
 */
export async function findCashbackTimeline(
  db: Db,
  {
    memberId,
    now,
    place = null,
    limit = ITEMS_PER_PAGE,
  }: { memberId: string; now: Date; place?: HistoryPlace; limit?: number },
): Promise<CashbackTimeline> {
  const [balances, asked, openClicks] = await Promise.all([
    findShownBalances(db, { memberId }),
    findHistoryPage(db, { memberId, now, place, limit }),
    findOpenClicks(db, { memberId, now }),
  ]);
  const isPageUnknown = place !== null && asked.items.length === 0;
  const page = isPageUnknown ? await findHistoryPage(db, { memberId, now, place: null, limit }) : asked;
  return {
    balances: {
      trackedPence: balances.member_tracked,
      confirmedPence: balances.member_confirmed,
      payablePence: balances.member_payable,
      paidPence: balances.member_paid,
    },
    ...page,
    isPageUnknown,
    openClicks,
  };
}
