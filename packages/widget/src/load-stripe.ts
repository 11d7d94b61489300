import type { Environment } from "./environments.ts";
import type { LoadScript } from "./load-script.ts";

/** The members of the provider's client script that the widget uses. */
export type Stripe = {
  elements(options: Record<string, unknown>): StripeElements;
  retrievePaymentIntent(clientSecret: string): Promise<{ paymentIntent?: StripeIntent; error?: StripeError }>;
  confirmPayment(options: {
    elements: StripeElements;
    confirmParams: { return_url: string };
    redirect: "if_required";
  }): Promise<{ error?: StripeError }>;
};
export type StripeIntent = {
  amount: number;
  currency: string;
  status?: string;
  last_payment_error?: StripeError | null;
};
export type StripeElements = { create(type: "payment", options?: object): StripeElement };
export type StripeElement = {
  mount(at: HTMLElement): void;
  on(event: string, listener: (event: { error?: StripeError }) => void): void;
  destroy(): void;
};
export type StripeError = {
  message: string;
  type?: string;
  code?: string;
  decline_code?: string;
  payment_intent?: { status?: string };
};

type MakeStripe = (publishableKey: string, options: object) => Stripe;
/** Not declared on Window, because that would conflict with a partner's own types of the provider's script. */
const page = globalThis as typeof globalThis & { Stripe?: MakeStripe | undefined };

const PROVIDER_HOST = "https://js.stripe.com/";
const PROVIDER_SCRIPT = `${PROVIDER_HOST}endive/stripe.js`;

const clients: Record<string, Stripe> = {};

/**
 * Returns the provider's client for this environment's key. Loads the provider's script unless the page has it already. Only success is kept: a
 * load that failed, or that hung until the signal aborted, starts anew with the next call. A live key is used with the provider's own script only.
 */
export async function loadStripe(
  { publishableKey, cardScriptUrl = PROVIDER_SCRIPT }: Environment,
  loadScript: LoadScript,
  signal: AbortSignal,
): Promise<Stripe> {
  if (publishableKey.startsWith("pk_live_") && !cardScriptUrl.startsWith(PROVIDER_HOST)) {
    throw new Error(`A live key needs a script of ${PROVIDER_HOST}`);
  }
  if (!(page.Stripe instanceof Function)) {
    page.Stripe = undefined; // an element with id="Stripe" would look like a loaded script
    await loadScript(cardScriptUrl, signal);
  }
  return (clients[publishableKey] ??= page.Stripe!(publishableKey, { locale: "en-GB" }));
}
