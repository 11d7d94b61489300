import { failureCodeOf } from "@farthing/core/payments/failure-codes.ts";
import type { ObservedPayment } from "@farthing/core/payments/provider.ts";
import type Stripe from "stripe";

/** Returns a payment intent, with its latest charge expanded, in core's terms. */
export function observePayment(intent: Stripe.PaymentIntent): ObservedPayment {
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const status = statusOf(intent);
  const isTaken = intent.status === "succeeded";
  return {
    providerPaymentId: intent.id,
    // An intent in another currency is not ours: we request pounds only.
    paymentId: intent.currency === "gbp" ? (intent.metadata["payment"] ?? null) : null,
    status,
    amountPence: isTaken ? intent.amount_received : intent.amount,
    refundedPence: isTaken ? (charge?.amount_refunded ?? 0) : 0,
    failureCode:
      status === "failed"
        ? failureCodeOf([intent.last_payment_error?.decline_code, intent.last_payment_error?.code])
        : null,
  };
}

function statusOf({ status, last_payment_error }: Stripe.PaymentIntent): ObservedPayment["status"] {
  switch (status) {
    case "succeeded":
      return "taken";
    case "canceled":
      return "cancelled";
    case "processing":
    case "requires_capture":
      return "processing";
    case "requires_payment_method":
      return last_payment_error === null ? "awaiting_payment" : "failed";
    case "requires_action":
    case "requires_confirmation":
    default: // a status that Stripe adds later is not a payment yet
      return "awaiting_payment";
  }
}
