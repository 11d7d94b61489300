import type { CardForm, LoadCardProvider } from "./card-provider.ts";
import { DEADLINE_MS, unlessAborted } from "./deadline.ts";
import { loadStripe, type Stripe, type StripeError } from "./load-stripe.ts";
import type { PaymentIntentPayload } from "./messages.ts";

/** The widget's card provider (G3). Uses the provider's own script, with one set of Elements per intent. */
export const loadStripeCardProvider: LoadCardProvider = async (environment, loadScript, signal) => {
  const stripe = await loadStripe(environment, loadScript, signal);
  return {
    async findProblem(clientSecret) {
      const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
      if (error) throw new Error(error.message);
      if (isTaken(paymentIntent)) return undefined;
      return paymentIntent?.last_payment_error ?? { message: "The payment was not made" };
    },
    openForm({ intent, pence, fields, locale, appearance, onEscape }): CardForm {
      const elements = stripe.elements({
        ...elementsOptions(intent),
        ...(locale && { locale }),
        ...(appearance && { appearance }),
      });
      const form = elements.create("payment");
      const usable = new Promise<unknown>((resolve, reject) => {
        form.on("ready", resolve);
        form.on("loaderror", ({ error }) => reject(error));
      });
      usable.catch(() => undefined); // for an intent that is paid already, nobody waits for its form
      form.on("escape", onEscape);
      form.mount(fields);
      const isPaid = async () => {
        try {
          const answer = stripe.retrievePaymentIntent(intent.clientSecret);
          return isTaken((await unlessAborted(AbortSignal.timeout(DEADLINE_MS), answer)).paymentIntent);
        } catch {
          return false;
        }
      };
      return {
        isPaid,
        ready: confirmAmount(stripe, intent.clientSecret, pence).then((paid) => paid || usable.then(() => false)),
        async confirm(returnUrl) {
          let error: StripeError | undefined;
          try {
            ({ error } = await stripe.confirmPayment({
              elements,
              confirmParams: { return_url: returnUrl },
              redirect: "if_required",
            }));
          } catch (thrown) {
            error = thrown as StripeError;
          }
          // If the response to an earlier attempt was lost, the provider reports "already succeeded": the payer has paid and must not pay again.
          // An error without a code is not the provider's answer.
          if (!error || isTaken(error.payment_intent) || (!error.code && (await isPaid()))) return undefined;
          return error;
        },
        destroy: () => form.destroy(),
      };
    },
  };
};

/**
 * Returns the options for the provider's Elements, and decides what the provider learns about the customer. The message's three fields are as
 * specified:
 * - a customer session's secret in `ephemeralKey` offers the customer's saved cards (`customerSessionClientSecret`);
 * - a real ephemeral key (`ek_…`) is for mobile SDKs, and `customerOptions` is not open to the public web: neither is used here.
 */
export function elementsOptions({ clientSecret, ephemeralKey }: PaymentIntentPayload): Record<string, unknown> {
  return {
    clientSecret,
    ...(ephemeralKey.startsWith("cuss_") && { customerSessionClientSecret: ephemeralKey }),
  };
}

/** The codes of a provider that can't answer now. Their type is that of a wrong request all the same. */
const BUSY = ["rate_limit", "lock_timeout"];

/**
 * Checks that the provider will take the amount that the payer sees: the same number of pence, in pounds sterling. Returns whether it has
 * taken it already.
 */
async function confirmAmount(stripe: Stripe, clientSecret: string, pence: number): Promise<boolean> {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
  // A provider that is not reached, is busy or has a fault has said nothing of the amount. Without a code: another attempt can succeed.
  if (error && (error.type !== "invalid_request_error" || BUSY.includes(error.code ?? "")))
    throw new Error(error.message);
  if (paymentIntent?.amount !== pence || paymentIntent.currency !== "gbp") {
    throw Object.assign(new Error("The amount is not confirmed"), { code: "amount_not_confirmed" });
  }
  if (paymentIntent.status === "canceled") {
    throw Object.assign(new Error("The payment was cancelled"), { code: "not_payable" });
  }
  return isTaken(paymentIntent);
}

/** Returns whether the provider has taken the payment of this intent, or is about to. */
function isTaken(intent: { status?: string } | undefined): boolean {
  return ["succeeded", "processing", "requires_capture"].includes(intent?.status ?? "");
}
