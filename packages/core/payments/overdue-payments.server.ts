import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type ClaimOptions, type Lease } from "../due-work/due-work.server.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { cancelOpen } from "./cancel-open.server.ts";
import { isAbandoned, nextLookAt, OVERDUE_MS, UNDECIDED_STATES } from "./overdue-rules.ts";
import type { CardProvider } from "./provider.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";

interface PaymentToLookUp {
  publicId: string;
  providerPaymentId: string;
  mode: PartnerMode;
  version: number;
  changedAt: Date;
}

export type OverduePayment = PaymentToLookUp & Lease;

const isUndecided = sql`payment.state in (${sql.join(UNDECIDED_STATES.map((state) => sql.lit(state)))})`;

/**
 * Payments that may have to be looked up (G3). A look-up is no change of the payment, so it has a row of its own. None
 * is ever given up: it is money.
 */
export const dueLookups = openDueWork<PaymentToLookUp>()({
  table: "payment_lookups",
  id: "payment_id",
  dueAt: "next_look_at",
  attempts: "lookups",
  join: sql`join payments payment on payment.id = work.payment_id`,
  isOpen: sql`true`,
  columns: sql`payment.public_id as "publicId", payment.provider_payment_id as "providerPaymentId", payment.mode,
    payment.version, payment.changed_at as "changedAt"`,
  nextAttempt: nextLookAt,
});

/** Claims undecided payments of which nothing was heard for two minutes. */
export async function claimOverduePayments(db: Db, options: ClaimOptions): Promise<OverduePayment[]> {
  const overdueSince = new Date(options.now.getTime() - OVERDUE_MS);
  const isOverdue = sql`${isUndecided} and payment.changed_at <= ${overdueSince}`;
  await sql`
    insert into payment_lookups (payment_id, lookups, next_look_at)
    select payment.id, 0, payment.changed_at from payments payment
    where ${isOverdue} and not exists (select from payment_lookups known where known.payment_id = payment.id)
    order by payment.changed_at limit ${options.max} for no key update skip locked
    on conflict (payment_id) do nothing`.execute(db);
  return await dueLookups.claim(db, options, isOverdue);
}

/**
 * Settles a payment from the provider's answer, as its webhook would have. A payment that nobody touched for 24
 * hours is cancelled at the provider first, so that it can't be paid any more, and then settled from the provider's
 * answer again.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function settleOverduePayment(
  db: Db,
  cards: Pick<CardProvider, "findPayment" | "findRefunds" | "cancelPayment">,
  { payment, mode = null, now }: { payment: OverduePayment; mode?: PartnerMode | null; now: Date },
): Promise<SettledPayment> {
  const { providerPaymentId, changedAt } = payment;
  const settled = await settlePayment(db, cards, { providerPaymentId, mode, now });
  if (settled.outcome !== "settled" || settled.changed) return settled;
  if (!isAbandoned({ state: settled.payment.state, changedAt }, now)) return settled;
  return cancelOpen(db, cards, { ...payment, mode }, now);
}

/** Writes when a payment that was claimed is looked up again, should it still be undecided then. */
export async function postponeLookup(db: Db, { payment, now }: { payment: OverduePayment; now: Date }): Promise<void> {
  await dueLookups.fail(db, payment, { now, error: null });
}

/** Removes the look-ups of decided payments and returns their number; for a regular job. */
export async function forgetOldLookups(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("payment_lookups")
    .using("payments")
    .whereRef("payments.id", "=", "payment_lookups.payment_id")
    .where("payments.state", "not in", UNDECIDED_STATES)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
