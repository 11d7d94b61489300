import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { isAbandoned, nextLookAt, OVERDUE_MS, UNDECIDED_STATES } from "./overdue-rules.ts";
import type { CardProvider } from "./provider.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";

export interface OverduePayment {
  id: string;
  publicId: string;
  providerPaymentId: string;
  version: number;
  changedAt: Date;
  /** Look-ups so far, this one included. */
  lookups: number;
}

/**
 * Takes undecided payments of which nothing was heard for two minutes, and whose turn it is. Whoever takes one has `leaseMs` to look it up; after that
 * it is due again, so a process that is killed loses nothing.
 */
export async function claimOverduePayments(
  db: Db,
  { now, leaseMs, most }: { now: Date; leaseMs: number; most: number },
): Promise<OverduePayment[]> {
  // Two workers' statements may both see a payment as due when one has just finished: the second is stopped by the conflict's own condition.
  const { rows } = await sql<OverduePayment>`
    with due as (
      select payment.id, payment.public_id, payment.provider_payment_id, payment.version, payment.changed_at
      from payments payment left join payment_lookups lookup on lookup.payment_id = payment.id
      where payment.state in (${sql.join(UNDECIDED_STATES.map((state) => sql.lit(state)))})
        and payment.changed_at <= ${new Date(now.getTime() - OVERDUE_MS)}
        and (lookup.next_look_at is null or lookup.next_look_at <= ${now})
      order by coalesce(lookup.next_look_at, payment.changed_at) limit ${most} for no key update of payment skip locked
    ), taken as (
      insert into payment_lookups as lookup (payment_id, lookups, next_look_at)
      select id, 1, ${new Date(now.getTime() + leaseMs)}::timestamptz from due
      on conflict (payment_id) do update set lookups = lookup.lookups + 1, next_look_at = excluded.next_look_at
        where lookup.next_look_at <= ${now}
      returning payment_id, lookups
    )
    select due.id, due.public_id as "publicId", due.provider_payment_id as "providerPaymentId", due.version,
      due.changed_at as "changedAt", taken.lookups
    from due join taken on taken.payment_id = due.id`.execute(db);
  return rows;
}

/**
 * Brings a payment to where the provider says it stands, as its webhook would have. One that nobody has touched for 24 hours is cancelled there first, so
 * that it can't be paid after all, and then here, by the provider's word.
 * @throws CardProviderUnavailableError, CardProviderRefusalError.
 */
export async function settleOverduePayment(
  db: Db,
  cards: Pick<CardProvider, "findPayment" | "cancelPayment">,
  { payment, now }: { payment: OverduePayment; now: Date },
): Promise<SettledPayment> {
  const { id, providerPaymentId, version, changedAt } = payment;
  const settled = await settlePayment(db, cards, { providerPaymentId, now });
  if (settled.outcome !== "settled" || settled.changed) return settled;
  if (!isAbandoned({ state: settled.payment.state, changedAt }, now)) return settled;
  await cards.cancelPayment({ key: `cancel:${id}:${version}`, providerPaymentId });
  return settlePayment(db, cards, { providerPaymentId, now });
}

/** Says when a payment that was taken is looked up again, should it still be undecided then. */
export async function postponeLookup(
  db: Db,
  { payment: { id, lookups }, now }: { payment: OverduePayment; now: Date },
): Promise<void> {
  await db
    .updateTable("payment_lookups")
    .set({ next_look_at: nextLookAt(lookups, now) })
    .where("payment_id", "=", id)
    .where("lookups", "=", lookups)
    .execute();
}

/** Forgets the look-ups of payments that are decided; for a regular job. Gives how many. */
export async function forgetOldLookups(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("payment_lookups")
    .using("payments")
    .whereRef("payments.id", "=", "payment_lookups.payment_id")
    .where("payments.state", "not in", UNDECIDED_STATES)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
