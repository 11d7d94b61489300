import type Stripe from "stripe";
import { newRefund } from "./answers/refund.ts";
import { invalidRequest, missing, required } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { metadataFrom } from "./customers.ts";
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
  const refund = newRefund({
    id: `re_3${randomText(23)}`,
    created: seconds(cards),
    amount,
    charge,
    reason: textOf(fields, "reason") ?? null,
    metadata: metadataFrom(fields),
  });
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
