import type Stripe from "stripe";

/** Returns a payment intent with every field that the SDK requires. Default values are the provider's. */
export function newPaymentIntent(given: {
  id: string;
  clientSecret: string;
  created: number;
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  receiptEmail: string | null;
  metadata: Record<string, string>;
  captureMethod: "automatic_async" | "automatic" | "manual";
  setupFutureUsage: "off_session" | "on_session" | null;
  automatic: { allowRedirects: "always" | "never" } | null;
  methodTypes: string[];
  statementDescriptorSuffix: string | null;
  transferGroup: string | null;
}): Stripe.PaymentIntent {
  return {
    id: given.id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: given.automatic
      ? { allow_redirects: given.automatic.allowRedirects, enabled: true }
      : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.captureMethod,
    client_secret: given.clientSecret,
    confirmation_method: "automatic",
    created: given.created,
    currency: given.currency,
    customer: given.customer,
    customer_account: null,
    description: given.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: given.methodTypes.includes("card")
      ? { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" } }
      : {},
    payment_method_types: given.methodTypes,
    payment_record: null,
    processing: null,
    receipt_email: given.receiptEmail,
    review: null,
    setup_future_usage: given.setupFutureUsage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: given.statementDescriptorSuffix,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: given.transferGroup,
  };
}
