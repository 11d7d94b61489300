import type { CardForm, LoadCardProvider } from "./card-provider.ts";
import { loadStripe, type Stripe } from "./load-stripe.ts";
import type { PaymentIntentPayload } from "./messages.ts";

/** The form's frame gives no sign when a page's policy blocks it, so silence counts as failure after this. */
const READY_TIMEOUT = 15_000;

/** The card provider behind the widget (G3): its own script, driven directly, one set of Elements for each intent. */
export const loadStripeCardProvider: LoadCardProvider = async (environment) => {
  const stripe = await loadStripe(environment);
  return {
    openForm({ intent, pence, fields, onEscape }): CardForm {
      const elements = stripe.elements(elementsOptions(intent));
      const form = elements.create("payment");
      const usable = new Promise<unknown>((resolve, reject) => {
        form.on("ready", resolve);
        form.on("loaderror", ({ error }) => reject(error));
        setTimeout(() => reject(new Error("The card form did not load")), READY_TIMEOUT);
      });
      form.on("escape", onEscape);
      form.mount(fields);
      return {
        ready: Promise.all([usable, confirmAmount(stripe, intent.clientSecret, pence)]),
        async confirm(returnUrl) {
          try {
            const { error } = await stripe.confirmPayment({
              elements,
              confirmParams: { return_url: returnUrl },
              redirect: "if_required",
            });
            // An answer lost on the way is followed by "already succeeded": the payer has paid, and must not be asked again.
            return error?.payment_intent?.status === "succeeded" ? undefined : error;
          } catch (error) {
            return error as Error;
          }
        },
        destroy: () => form.destroy(),
      };
    },
  };
};

/**
 * The one place that decides what the provider is told about the customer. The message's three fields stay the specification's:
 * - a customer session's secret in `ephemeralKey` offers the customer's saved cards (`customerSessionClientSecret`);
 * - a real ephemeral key (`ek_…`) belongs to mobile SDKs, `customerOptions` is closed to the public web: neither is used here.
 */
export function elementsOptions({ clientSecret, ephemeralKey }: PaymentIntentPayload): Record<string, unknown> {
  return {
    clientSecret,
    ...(ephemeralKey.startsWith("cuss_") && { customerSessionClientSecret: ephemeralKey }),
  };
}

/** What the payer sees must be what the provider will take: same pence, and pounds. */
async function confirmAmount(stripe: Stripe, clientSecret: string, pence: number): Promise<void> {
  const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
  if (paymentIntent?.amount !== pence || paymentIntent.currency !== "gbp") {
    throw Object.assign(new Error("The amount is not confirmed"), { code: "amount_not_confirmed" });
  }
}
