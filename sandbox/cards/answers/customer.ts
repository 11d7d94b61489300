import type Stripe from "stripe";

export function newCustomer(given: {
  id: string;
  created: number;
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  metadata: Record<string, string>;
}): Stripe.Customer {
  return {
    id: given.id,
    object: "customer",
    address: null,
    balance: 0,
    created: given.created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: given.description,
    discount: null,
    email: given.email,
    invoice_prefix: given.id.slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: given.metadata,
    name: given.name,
    next_invoice_sequence: 1,
    phone: given.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}

export function newCustomerSession(given: {
  clientSecret: string;
  customer: string;
  created: number;
  paymentElement: Stripe.CustomerSession.Components.PaymentElement;
}): Stripe.CustomerSession {
  const off = { enabled: false };
  return {
    object: "customer_session",
    client_secret: given.clientSecret,
    components: {
      active_entitlements: off,
      buy_button: off,
      customer_portal: off,
      customer_sheet: { enabled: false, features: null },
      mobile_payment_element: { enabled: false, features: null },
      payment_element: given.paymentElement,
      pricing_table: off,
    },
    created: given.created,
    customer: given.customer,
    customer_account: null,
    expires_at: given.created + 1800,
    livemode: false,
  };
}

export function newEphemeralKey(given: {
  id: string;
  secret: string;
  created: number;
  customer: string;
}): Stripe.EphemeralKey {
  const key: Stripe.EphemeralKey = {
    id: given.id,
    object: "ephemeral_key",
    created: given.created,
    expires: given.created + 3600,
    livemode: false,
    secret: given.secret,
  };
  // The provider also sends the customer, which the SDK's type lacks.
  return { ...key, ...{ associated_objects: [{ id: given.customer, type: "customer" }] } };
}
