import {
  CardProviderRefusalError,
  CardProviderUnavailableError,
  type CardProvider,
} from "@farthing/core/payments/provider.ts";
import Stripe from "stripe";
import { refuseOtherProtocols } from "../../refuse-other-protocols.ts";
import { observeDispute, observeRefund } from "./observe-dispute.ts";
import { observePayment } from "./observe-payment.ts";
import { readStripeWebhook } from "./stripe-webhook.ts";

export interface StripeSettings {
  secretKey: string;
  /** Signs webhooks. */
  webhookSecret: string;
  /** Origin of the API: https://api.stripe.com, or a stand-in. A path is ignored. */
  apiUrl: string;
}

/** A payer waits for most calls: two attempts stay below what a person accepts. */
const TIMEOUT_MS = 8_000;

/** Far more than one payment has, or eight days bring. */
const MAX_LISTED = 1_000;

/** Creates Stripe's adapter (G3), on Stripe's SDK. */
export function createStripeProvider({ secretKey, webhookSecret, apiUrl }: StripeSettings): CardProvider {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === "http:";
  refuseOtherProtocols();
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? "http" : "https",
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  return {
    async createCustomer({ key }) {
      const { id } = await calling(() => stripe.customers.create({}, { idempotencyKey: key }));
      return { customerId: id };
    },
    async createCustomerSession({ customerId }) {
      const session = await calling(() =>
        stripe.customerSessions.create({ customer: customerId, components: { payment_element: savedCards } }),
      );
      return { secret: session.client_secret };
    },
    async createPayment({ key, paymentId, customerId, amountPence, description, email }) {
      const intent = await calling(() =>
        stripe.paymentIntents.create(
          {
            amount: amountPence,
            currency: "gbp",
            customer: customerId,
            description,
            ...(email ? { receipt_email: email } : {}),
            automatic_payment_methods: { enabled: true },
            metadata: { payment: paymentId },
          },
          { idempotencyKey: key },
        ),
      );
      return { providerPaymentId: intent.id, clientSecret: secretOf(intent) };
    },
    async findClientSecret(providerPaymentId) {
      return secretOf(await calling(() => stripe.paymentIntents.retrieve(providerPaymentId)));
    },
    async startAtBank({ key, providerPaymentId, returnUrl }) {
      const intent = await unlessRefused(() =>
        stripe.paymentIntents.confirm(
          providerPaymentId,
          { payment_method_data: { type: "pay_by_bank" }, return_url: returnUrl },
          { idempotencyKey: key },
        ),
      );
      const url = intent?.next_action?.redirect_to_url?.url;
      return url ? { url } : null;
    },
    async findPayment(providerPaymentId) {
      const intent = await orMissing(() =>
        stripe.paymentIntents.retrieve(providerPaymentId, { expand: ["latest_charge"] }),
      );
      return intent && observePayment(intent);
    },
    async cancelPayment({ key, providerPaymentId }) {
      await unlessDecided(() =>
        stripe.paymentIntents.cancel(providerPaymentId, { cancellation_reason: "abandoned" }, { idempotencyKey: key }),
      );
    },
    async refund({ key, refundId, providerPaymentId, amountPence }) {
      const request = { payment_intent: providerPaymentId, amount: amountPence };
      const send = (named: Stripe.RefundCreateParams) => stripe.refunds.create(named, { idempotencyKey: key });
      await refunding(async () => {
        try {
          await send({ ...request, metadata: { refund: refundId } });
        } catch (error) {
          // A version of ours before it named refunds has sent this key: the same request again, as that sent it.
          if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error;
          await send(request);
        }
      });
    },
    async findRefunds(providerPaymentId) {
      const refunds = await calling(() =>
        stripe.refunds.list({ payment_intent: providerPaymentId, limit: 100 }).autoPagingToArray({ limit: MAX_LISTED }),
      );
      return refunds.map(observeRefund).reverse();
    },
    async findDisputes(providerPaymentId) {
      const disputes = await calling(() =>
        stripe.disputes
          .list({ payment_intent: providerPaymentId, limit: 100 })
          .autoPagingToArray({ limit: MAX_LISTED }),
      );
      return disputes
        .map(observeDispute)
        .filter((dispute) => dispute !== null)
        .reverse();
    },
    async findFee(providerPaymentId) {
      const expand = ["latest_charge.balance_transaction"];
      const intent = await orMissing(() => stripe.paymentIntents.retrieve(providerPaymentId, { expand }));
      const charge = typeof intent?.latest_charge === "object" ? intent.latest_charge : null;
      const moved = typeof charge?.balance_transaction === "object" ? charge.balance_transaction : null;
      return moved?.currency === "gbp" ? moved.fee : null;
    },
    async findBalance() {
      const { available, pending } = await calling(() => stripe.balance.retrieve());
      const pounds = [...available, ...pending].filter(({ currency }) => currency === "gbp");
      return pounds.reduce((sum, { amount }) => sum + amount, 0);
    },
    async listDisputedPayments({ since }) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const disputes = await calling(() =>
        stripe.disputes.list({ created, limit: 100 }).autoPagingToArray({ limit: MAX_LISTED }),
      );
      const payments = disputes.map(({ payment_intent: intent }) => (typeof intent === "string" ? intent : intent?.id));
      return [...new Set(payments.filter((id) => id !== undefined))];
    },
    readWebhook: (webhook) => readStripeWebhook(stripe, { ...webhook, secret: webhookSecret }),
  };
}

/** Lets the payer see and save cards of this visit's customer. */
const savedCards: Stripe.CustomerSessionCreateParams.Components.PaymentElement = {
  enabled: true,
  features: {
    payment_method_redisplay: "enabled",
    payment_method_save: "enabled",
    payment_method_save_usage: "on_session",
  },
};

function secretOf({ id, client_secret: secret }: Stripe.PaymentIntent): string {
  if (secret === null) throw new CardProviderRefusalError("Stripe returned a payment intent without a secret.", id);
  return secret;
}

/** Maps the SDK's errors to core's: unavailable (retry later) or refused (do not retry). */
async function calling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    // No answer, a server error, too many calls, or a concurrent call with the same key: temporary.
    const status = error.statusCode ?? 0;
    if (status === 0 || status >= 500 || status === 429 || status === 409)
      throw new CardProviderUnavailableError(error);
    throw new CardProviderRefusalError(`Stripe refused a call: ${error.code ?? error.type}.`, error);
  }
}

/** Stripe denies access (a key that was rolled, a right that is missing) before it looks whether it has made the refund already. */
async function refunding(call: () => Promise<void>): Promise<void> {
  try {
    await calling(call);
  } catch (error) {
    const cause = error instanceof CardProviderRefusalError ? error.cause : null;
    if (!(cause instanceof Stripe.errors.StripeError) || (cause.statusCode !== 401 && cause.statusCode !== 403))
      throw error;
    throw new CardProviderUnavailableError(cause, `Stripe denies access to refunds (${cause.statusCode}).`);
  }
}

/** Returns null where Stripe refuses what is asked of this payment: a method that is not set up, or a payment that was made meanwhile. */
async function unlessRefused<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await calling(call);
  } catch (error) {
    const isOfPayment =
      error instanceof CardProviderRefusalError && error.cause instanceof Stripe.errors.StripeInvalidRequestError;
    if (isOfPayment) return null;
    throw error;
  }
}

/** Returns whether Stripe refuses to cancel because the payment was paid or cancelled meanwhile, which is no error. */
async function unlessDecided(call: () => Promise<unknown>): Promise<void> {
  try {
    await calling(call);
  } catch (error) {
    const cause = error instanceof CardProviderRefusalError ? error.cause : null;
    if (cause instanceof Stripe.errors.StripeError && cause.code === "payment_intent_unexpected_state") return;
    throw error;
  }
}

async function orMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await calling(call);
  } catch (error) {
    const cause = error instanceof CardProviderRefusalError ? error.cause : null;
    if (cause instanceof Stripe.errors.StripeError && cause.statusCode === 404) return null;
    throw error;
  }
}
