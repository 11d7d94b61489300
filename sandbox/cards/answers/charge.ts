import type Stripe from "stripe";
import type { Refusal } from "../test-cards.ts";

/** Returns the charge of a payment attempt: paid, or failed with the decline. */
export function newCharge(given: {
  id: string;
  created: number;
  intent: Stripe.PaymentIntent;
  method: Stripe.PaymentMethod;
  refusal: Refusal | null;
  captured: boolean;
  authenticated: boolean;
}): Stripe.Charge {
  const { intent, method, refusal } = given;
  return {
    id: given.id,
    object: "charge",
    amount: intent.amount,
    amount_captured: refusal || !given.captured ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: "SANDBOX",
    captured: !refusal && given.captured,
    created: given.created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcome(refusal),
    paid: !refusal,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: methodDetails(method, given.authenticated, intent.amount),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: refusal ? "failed" : "succeeded",
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

function outcome(refusal: Refusal | null): Stripe.Charge.Outcome {
  const common = { advice_code: null, network_advice_code: null, risk_level: "normal", risk_score: 20 };
  return refusal
    ? {
        ...common,
        network_decline_code: null,
        network_status: "declined_by_network",
        reason: refusal.declineCode ?? refusal.code,
        seller_message: "The bank did not return any further details with this decline.",
        type: "issuer_declined",
      }
    : {
        ...common,
        network_decline_code: null,
        network_status: "approved_by_network",
        reason: null,
        seller_message: "Payment complete.",
        type: "authorized",
      };
}

function methodDetails(
  method: Stripe.PaymentMethod,
  authenticated: boolean,
  amount: number,
): Stripe.Charge.PaymentMethodDetails {
  if (!method.card) return { type: "pay_by_bank", pay_by_bank: {} };
  const { card } = method;
  return {
    type: "card",
    card: {
      amount_authorized: amount,
      authorization_code: "123456",
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
      country: card.country,
      electronic_commerce_indicator: authenticated ? "05" : null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      installments: null,
      last4: card.last4,
      mandate: null,
      network: card.brand,
      network_transaction_id: null,
      regulated_status: "unregulated",
      three_d_secure: authenticated
        ? {
            authentication_flow: "challenge",
            electronic_commerce_indicator: "05",
            exemption_indicator: null,
            result: "authenticated",
            result_reason: null,
            transaction_id: null,
            version: "2.2.0",
          }
        : null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}
