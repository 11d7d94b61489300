import type Stripe from "stripe";

export function newRefund(given: {
  id: string;
  created: number;
  amount: number;
  charge: Stripe.Charge;
  reason: Stripe.Refund["reason"];
  metadata: Record<string, string>;
}): Stripe.Refund {
  return {
    id: given.id,
    object: "refund",
    amount: given.amount,
    balance_transaction: null,
    charge: given.charge.id,
    created: given.created,
    currency: given.charge.currency,
    customer: typeof given.charge.customer === "string" ? given.charge.customer : null,
    customer_account: null,
    destination_details: {
      type: "card",
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
    },
    metadata: given.metadata,
    payment_intent: given.charge.payment_intent,
    payment_method: given.charge.payment_method,
    reason: given.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}
