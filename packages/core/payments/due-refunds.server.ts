import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type ClaimOptions, type Lease } from "../due-work/due-work.server.ts";
import type { CardAccounts } from "./card-accounts.ts";
import { findPaymentRow } from "./payment-row.server.ts";
import { finishRefund, type RefundedPayment, type RefundRow } from "./refund-payment.server.ts";
import { nextRefundAttempt } from "./refund-rules.ts";

interface RefundToFinish {
  publicId: string;
  amountPence: number;
  askedAt: Date;
}

export type DueRefund = RefundToFinish & Lease;

/** Refunds whose caller died or got no answer from the card provider. One is given up after a day in which nobody could ask the provider; a person retries it. */
export const dueRefunds = openDueWork<RefundToFinish>()({
  table: "payment_refunds",
  id: "id",
  dueAt: "next_try_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join payments payment on payment.id = work.payment_id`,
  isOpen: sql`work.next_try_at is not null`,
  columns: sql`payment.public_id as "publicId", work.amount_pence as "amountPence", work.asked_at as "askedAt"`,
  nextAttempt: nextRefundAttempt,
  bury: () => ({ next_try_at: null }),
  isBuried: sql`work.next_try_at is null and work.state = 'asked'`,
  revive: () => ({}),
});

/** Claims refunds that were asked for two minutes ago and are not decided. */
export function claimDueRefunds(db: Db, options: ClaimOptions): Promise<DueRefund[]> {
  return dueRefunds.claim(db, options);
}

/** Finishes a claimed refund, with the key of its first attempt, or finds out what became of it. @throws CardProviderUnavailableError, NoCardAccountError */
export async function finishDueRefund(
  db: Db,
  accounts: CardAccounts,
  { due, now }: { due: DueRefund; now: Date },
): Promise<RefundedPayment> {
  const { id, publicId, amountPence, askedAt } = due;
  const payment = await findPaymentRow(db, { publicId });
  if (!payment) return { outcome: "no-such-payment" };
  const refund: RefundRow = { id, amountPence, askedAt, state: "asked" };
  const finished = await finishRefund(db, accounts, { refund, payment, now });
  if (finished.outcome === "unsure")
    await dueRefunds.fail(db, due, {
      now,
      error: "Too old to be sent again: it is looked up a day after it was asked for.",
    });
  return finished;
}
