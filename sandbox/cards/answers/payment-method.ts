import type Stripe from "stripe";

export interface CardDetails {
  brand: string;
  funding: string;
  expMonth: number;
  expYear: number;
  last4: string;
  fingerprint: string;
}

interface MethodGiven {
  id: string;
  created: number;
  customer: string | null;
  name: string | null;
  email: string | null;
  postcode: string | null;
  country: string | null;
  allowRedisplay: "always" | "limited" | "unspecified";
}

function base(
  given: MethodGiven,
): Pick<
  Stripe.PaymentMethod,
  | "id"
  | "object"
  | "allow_redisplay"
  | "billing_details"
  | "created"
  | "customer"
  | "customer_account"
  | "livemode"
  | "metadata"
> {
  return {
    id: given.id,
    object: "payment_method",
    allow_redisplay: given.allowRedisplay,
    billing_details: {
      address: {
        city: null,
        country: given.country,
        line1: null,
        line2: null,
        postal_code: given.postcode,
        state: null,
      },
      email: given.email,
      name: given.name,
      phone: null,
      tax_id: null,
    },
    created: given.created,
    customer: given.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
  };
}

export function newCardMethod(given: MethodGiven, card: CardDetails): Stripe.PaymentMethod {
  return {
    ...base(given),
    type: "card",
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "unchecked" },
      country: "GB",
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: card.fingerprint,
      funding: card.funding,
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  };
}

export function newBankMethod(given: MethodGiven): Stripe.PaymentMethod {
  return { ...base(given), type: "pay_by_bank", pay_by_bank: {} };
}
