import { dueWatches } from "@farthing/core/cashback-notices/watch-purchases.server.ts";
import { dueClaims } from "@farthing/core/claims/work-claims.server.ts";
import { dueLines } from "@farthing/core/gift-cards/due-lines.server.ts";
import { duePresents } from "@farthing/core/gift-cards/due-presents.server.ts";
import { dueNotices } from "@farthing/core/gift-cards/wallet-notices.server.ts";
import { dueMails } from "@farthing/core/mails/outbox.server.ts";
import { dueEvents } from "@farthing/core/networks/events.server.ts";
import { dueDeliveries } from "@farthing/core/partners/webhooks.server.ts";
import { dueDisputes } from "@farthing/core/payments/due-disputes.server.ts";
import { dueFees } from "@farthing/core/payments/due-fees.server.ts";
import { dueLookups } from "@farthing/core/payments/overdue-payments.server.ts";
import { dueRefunds } from "@farthing/core/payments/due-refunds.server.ts";
import { dueReferrals } from "@farthing/core/referrals/watch-referrals.server.ts";
import { dueResetRequests } from "@farthing/core/sign-in/reset-requests.server.ts";
import type { Db } from "@farthing/db/client.ts";

/** Every queue, under the table that holds it. */
const QUEUES = {
  mails: dueMails,
  password_reset_requests: dueResetRequests,
  partner_webhook_deliveries: dueDeliveries,
  network_events: dueEvents,
  payment_lookups: dueLookups,
  payment_refunds: dueRefunds,
  payment_disputes: dueDisputes,
  payment_fees: dueFees,
  cashback_watches: dueWatches,
  claims: dueClaims,
  referral_watches: dueReferrals,
  gift_card_lines: dueLines,
  gift_card_presents: duePresents,
  wallet_cards: dueNotices,
};

/** The newest are listed: an outage of one service can bury thousands. */
const MAX_LISTED = 20;

/** Returns the lines of "npm run due-work". They hold ids and errors, never what the work says or whom it is for. */
export async function describeDueWork(db: Db): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, queue] of Object.entries(QUEUES)) {
    const [open, buried, listed] = [
      await queue.countOpen(db),
      await queue.countBuried(db),
      await queue.listBuried(db, { max: MAX_LISTED }),
    ];
    lines.push(`${table}: ${open} to do, ${buried} given up`);
    for (const { id, attempts, lastError } of listed)
      lines.push(`  ${id}  attempts ${attempts}  ${lastError ?? "no error was recorded"}`);
    if (buried > listed.length) lines.push(`  and ${buried - listed.length} older`);
  }
  return lines;
}
