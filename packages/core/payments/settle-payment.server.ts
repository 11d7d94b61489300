import type { Db } from "@farthing/db/client.ts";
import { wakeLinesOf } from "./gift-card-lines.server.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import { differenceOf } from "../ledger/rules.ts";
import { announceEvent } from "../partners/webhooks.server.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { expectFee } from "./due-fees.server.ts";
import { findPaymentRow, newsOf, recordChange, type PaymentRow } from "./payment-row.server.ts";
import { CardProviderRefusalError, type CardProvider, type ObservedPayment, type ObservedRefund } from "./provider.ts";
import { refundNews } from "./refund-rules.ts";
import {
  canGo,
  isUnchanged,
  observedState,
  paymentEvent,
  paymentLegs,
  wasTaken,
  type PaymentPosition,
  type PaymentStanding,
} from "./rules.ts";
import { announceRefunds, noteRefunds, standingPence, type SettledRefunds } from "./settle-refunds.server.ts";

export type SettledPayment =
  /** `changed: false`: the payment was already in this state, for this reason. */
  | { outcome: "settled"; changed: boolean; payment: PaymentPosition; refunds?: SettledRefunds }
  /** Not a payment of ours. */
  | { outcome: "unknown" }
  /** The provider's state is impossible: nothing was changed, and a person has to investigate. */
  | { outcome: "contradiction"; why: string };

/** An attempt fails only if the payment changed in the meantime: rarely, but for many refunds of one payment. */
const MAX_ATTEMPTS = 50;

/**
 * Updates a payment to the provider's state, with its posting and the partner's event, in one transaction. It is safe
 * to repeat in any order and from several processes. The provider is asked after the payment was read, and its answer
 * counts only if the payment has not changed since. So an old answer never overwrites a newer one.
 * @param mode whose payments `cards` settles; another mode's are unknown to it. Null: both.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function settlePayment(
  db: Db,
  cards: Pick<CardProvider, "findPayment" | "findRefunds" | "cancelPayment">,
  { providerPaymentId, mode = null, now }: { providerPaymentId: string; mode?: PartnerMode | null; now: Date },
): Promise<SettledPayment> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await findPaymentRow(db, { providerPaymentId });
    const seen = await cards.findPayment(providerPaymentId);
    if (!seen) return { outcome: "unknown" };
    const row = before ?? (await findUnattached(db, seen));
    if (!row || (mode !== null && row.mode !== mode)) return { outcome: "unknown" };
    const observed = await cancelledToo(cards, row, seen);
    const refunds = observed.refundedPence === row.refundedPence ? null : await refundsOf(cards, observed);
    const settled = await apply(db, row, { ...observed, refunds }, now);
    if (settled) return settled;
  }
  throw new Error(`Payment ${providerPaymentId} changed ${MAX_ATTEMPTS} times while it was read: try again later.`);
}

/**
 * Finds our payment by the id that we gave the provider: an event can arrive before the response with the
 * provider's id.
 */
async function findUnattached(db: Db, { paymentId }: ObservedPayment): Promise<PaymentRow | null> {
  const row = paymentId === null ? null : await findPaymentRow(db, { publicId: paymentId });
  return row?.providerPaymentId === null ? row : null;
}

/**
 * Cancels at the provider what our books have cancelled before the provider had it: a process that did not notice may have given its secret
 * to a payer. Returns what the provider says then. @throws CardProviderUnavailableError, CardProviderRefusalError
 */
async function cancelledToo(
  cards: Pick<CardProvider, "findPayment" | "cancelPayment">,
  row: PaymentRow,
  seen: ObservedPayment,
): Promise<ObservedPayment> {
  if (!wasUnsent(row) || seen.status === "cancelled" || seen.status === "taken") return seen;
  const { providerPaymentId, status } = seen;
  // The provider answers a key once, also with a refusal: what can't be cancelled while it is processed may be after a decline.
  await cards.cancelPayment({ key: `cancel:${row.id}:unsent:${status}`, providerPaymentId });
  return (await cards.findPayment(providerPaymentId)) ?? seen;
}

/** Returns whether a payment was cancelled before we knew the provider's id of it (cancelUnsent). */
function wasUnsent({ state, providerPaymentId }: PaymentRow): boolean {
  return state === "cancelled" && providerPaymentId === null;
}

/** What the provider says, with the refunds that make up the total where it is another one. */
type Observed = ObservedPayment & { refunds: ObservedRefund[] | "unlisted" | null };

/**
 * Returns the refunds that make up a payment's total; null where they don't, because one was made or came back in between: whoever reads that
 * one tells of both. "unlisted": the provider does not list them. @throws CardProviderUnavailableError
 */
async function refundsOf(
  cards: Pick<CardProvider, "findRefunds">,
  { providerPaymentId, refundedPence }: ObservedPayment,
): Promise<ObservedRefund[] | "unlisted" | null> {
  try {
    const refunds = await cards.findRefunds(providerPaymentId);
    return standingPence(refunds) === refundedPence ? refunds : null;
  } catch (error) {
    if (error instanceof CardProviderRefusalError) return "unlisted";
    throw error;
  }
}

/** Returns null if the payment has changed since it was read. */
async function apply(db: Db, row: PaymentRow, observed: Observed, now: Date): Promise<SettledPayment | null> {
  const state = observedState(observed);
  const failureCode = state === "failed" ? observed.failureCode : null;
  const to: PaymentStanding = { ...row, state, refundedPence: observed.refundedPence, failureCode };
  if (wasUnsent(row) && !wasTaken(state)) return { outcome: "settled", changed: false, payment: pick(row) };
  const why = contradiction(row, observed, to);
  if (why) return { outcome: "contradiction", why };
  if (row.state === "created") {
    await step(db, row, { ...row, state: "awaiting_payment" }, observed, now);
    return null; // continue as with any other payment
  }
  if (isUnchanged(row, to)) return { outcome: "settled", changed: false, payment: pick(to) };
  const stepped = await step(db, row, to, observed, now);
  return stepped ? { outcome: "settled", changed: true, payment: pick(to), ...stepped } : null;
}

function contradiction(row: PaymentRow, observed: ObservedPayment, to: PaymentPosition): string | null {
  if (observed.paymentId !== row.publicId)
    return `Payment ${row.publicId}: the provider has it as ${observed.paymentId ?? "nobody's"}.`;
  if (observed.amountPence !== row.amountPence)
    return `Payment ${row.publicId} is for ${row.amountPence} pence, and the provider has ${observed.amountPence}.`;
  if (row.state !== "created" && row.state !== to.state && !canGo(row.state, to.state))
    return `Payment ${row.publicId} is ${row.state}, and the provider says ${to.state}.`;
  return null;
}

/** Applies one change in a transaction, and returns what it has shown of refunds; null if the payment has changed since it was read. */
async function step(
  db: Db,
  row: PaymentRow,
  to: PaymentStanding,
  { providerPaymentId, refunds }: Observed,
  now: Date,
): Promise<{ refunds?: SettledRefunds } | null> {
  const version = row.version + 1;
  const { failureCode = null } = to;
  return db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable("payments")
      .set({
        state: to.state,
        refunded_pence: to.refundedPence,
        version,
        provider_payment_id: providerPaymentId,
        changed_at: now,
      })
      .where("id", "=", row.id)
      .where("version", "=", row.version)
      .returning("id")
      .executeTakeFirst();
    if (!changed) return null;
    // A test payment moves no money, so the books have nothing of it (decision 033).
    const legs = row.mode === "live" ? differenceOf(paymentLegs(row), paymentLegs(to)) : [];
    const posted =
      legs.length === 0
        ? null
        : await postTransfer(trx, {
            key: `payment:${row.id}:${version}`,
            kind: transferKind(row, to),
            legs,
            cause: { kind: "payment", id: row.id },
            happenedAt: now,
          });
    const transferId = posted?.transferId ?? null;
    if (row.mode === "live" && wasTaken(to.state)) await expectFee(trx, row.id, now);
    await recordChange(trx, {
      id: row.id,
      version,
      ...pick(to),
      transferId,
      failureCode,
      now,
    });
    if (wasTaken(to.state) || to.state === "cancelled") await wakeLinesOf(trx, row.id, now);
    const { partnerId, mode } = row;
    const kind = paymentEvent(row, to);
    if (kind) {
      const data = { ...newsOf(row), ...(kind === "payment.failed" ? { failureCode } : {}) };
      await announceEvent(trx, { partnerId, mode, kind, data, now });
    }
    const { refundedPence } = to;
    const noted = Array.isArray(refunds) ? await noteRefunds(trx, { payment: row, observed: refunds, now }) : null;
    if (noted || refunds === "unlisted") {
      const news = refundNews(refundedPence - row.refundedPence, noted ?? { unannounced: [], returnedPence: 0 });
      await announceRefunds(trx, { payment: row, news, refundedPence, now });
    }
    return noted ? { refunds: { madeElsewhere: noted.madeElsewhere, returned: noted.returned } } : {};
  });
}

function transferKind(from: PaymentPosition, to: PaymentPosition) {
  if (!wasTaken(from.state)) return "payment_taken";
  return to.refundedPence > from.refundedPence ? "payment_refunded" : "payment_refund_returned";
}

function pick({ state, amountPence, refundedPence }: PaymentPosition): PaymentPosition {
  return { state, amountPence, refundedPence };
}
