import type Stripe from "stripe";
import { newRefund } from "./answers/refund.ts";
import { move } from "./balance.ts";
import { invalidRequest, missing, required } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { metadataFrom } from "./customers.ts";
import { claimedOf } from "./disputes.ts";
import { emit } from "./events.ts";
import { textOf, type Fields } from "./form.ts";
import { amountFrom, findIntent } from "./payment-intents.ts";

/** Refunds a charge in full or in part; never more than was charged. */
export function createRefund(cards: Cards, request: RequestNote, fields: Fields): Stripe.Refund {
  const charge = chargeOf(cards, fields);
  const left = charge.amount_captured - charge.amount_refunded;
  if (left <= 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, undefined, "charge_already_refunded");
  const amount = amountFrom(fields, "amount") ?? left;
  if (amount === 0) throw invalidRequest("Invalid positive integer", "amount", "parameter_invalid_integer");
  if (amount > left)
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, "amount");
  const intentId = String(charge.payment_intent);
  const claimed = claimedOf(cards, intentId);
  if (claimed > 0 && amount > left - claimed)
    throw invalidRequest(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      undefined,
      "charge_disputed",
    );
  const refund = newRefund({
    id: `re_3${randomText(23)}`,
    created: seconds(cards),
    amount,
    charge,
    reason: textOf(fields, "reason") ?? null,
    metadata: metadataFrom(fields),
  });
  refund.balance_transaction = move(cards, {
    type: "refund",
    amount: -amount,
    currency: charge.currency,
    source: refund.id,
  }).id;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  cards.store.put(refund, {
    customer: charge.customer as string | null,
    intent: charge.payment_intent as string | null,
  });
  cards.store.put(charge, { customer: charge.customer as string | null });
  emit(cards, request, "refund.created", refund);
  emit(cards, request, "charge.refunded", charge);
  return refund;
}

/** Sends a refund back, as the payer's bank does when it can't take it: the money returns to the balance. */
export function failRefund(cards: Cards, request: RequestNote, id: string): Stripe.Refund {
  const refund = cards.store.find<Stripe.Refund>("refund", id);
  const charge = refund && cards.store.find<Stripe.Charge>("charge", String(refund.charge));
  if (!refund || !charge) throw missing("refund", id, "refund");
  if (refund.status !== "succeeded") throw invalidRequest(`The refund is ${refund.status ?? "unknown"}.`, "refund");
  refund.status = "failed";
  refund.failure_reason = "lost_or_stolen_card";
  refund.failure_balance_transaction = move(cards, {
    ...{ type: "refund_failure", amount: refund.amount, currency: refund.currency, source: refund.id },
  }).id;
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  cards.store.put(refund);
  cards.store.put(charge);
  emit(cards, request, "refund.updated", refund);
  emit(cards, request, "refund.failed", refund);
  return refund;
}

function chargeOf(cards: Cards, fields: Fields): Stripe.Charge {
  const intentId = textOf(fields, "payment_intent");
  const chargeId =
    textOf(fields, "charge") ?? (intentId ? String(findIntent(cards, intentId).latest_charge) : undefined);
  if (!chargeId) throw required("payment_intent");
  const charge = cards.store.find<Stripe.Charge>("charge", chargeId);
  if (!charge)
    throw intentId
      ? invalidRequest(
          `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
          "payment_intent",
        )
      : missing("charge", chargeId, "charge");
  if (!charge.paid)
    throw invalidRequest(`Charge ${charge.id} did not succeed, so there is nothing to refund.`, "charge");
  return charge;
}
