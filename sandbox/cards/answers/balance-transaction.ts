import type Stripe from "stripe";

/** Returns a movement of the account's balance. */
export function newBalanceTransaction(given: {
  id: string;
  created: number;
  type: "charge" | "refund" | "refund_failure" | "adjustment";
  amount: number;
  fee: number;
  currency: string;
  description: string | null;
  source: string;
}): Stripe.BalanceTransaction {
  const { amount, fee, currency, type } = given;
  const feeDetail = {
    amount: fee,
    application: null,
    currency,
    description: "Sandbox processing fees",
    type: "stripe_fee",
  };
  return {
    id: given.id,
    object: "balance_transaction",
    amount,
    available_on: given.created,
    balance_type: "payments",
    created: given.created,
    currency,
    description: given.description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [feeDetail],
    net: amount - fee,
    reporting_category: type === "adjustment" ? "dispute" : type,
    source: given.source,
    status: "available",
    type,
  };
}
