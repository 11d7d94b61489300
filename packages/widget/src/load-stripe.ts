import type { Environment } from "./environments.ts";

/** The members of the provider's client script that the widget uses. */
export type Stripe = {
  elements(options: Record<string, unknown>): StripeElements;
  retrievePaymentIntent(
    clientSecret: string,
  ): Promise<{ paymentIntent?: { amount: number; currency: string }; error?: StripeError }>;
  confirmPayment(options: {
    elements: StripeElements;
    confirmParams: { return_url: string };
    redirect: "if_required";
  }): Promise<{ error?: StripeError }>;
};
export type StripeElements = { create(type: "payment", options?: object): StripeElement };
export type StripeElement = {
  mount(at: HTMLElement): void;
  on(event: string, listener: (event: { error?: StripeError }) => void): void;
  destroy(): void;
};
export type StripeError = { message: string; code?: string; payment_intent?: { status?: string } };

type MakeStripe = (publishableKey: string, options: object) => Stripe;
type ScriptPolicy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
/** Not declared on Window, because that would conflict with a partner's own types of the provider's script. */
const page = globalThis as typeof globalThis & { Stripe?: MakeStripe; trustedTypes?: TrustedTypes };

const PROVIDER_HOST = "https://js.stripe.com/";
const PROVIDER_SCRIPT = `${PROVIDER_HOST}endive/stripe.js`;

let policy: ScriptPolicy | undefined;
const clients: Record<string, Promise<Stripe>> = {};

/**
 * Returns the provider's client for this environment's key. Loads the provider's script on the first call, unless the page has it already. A
 * failed load rejects and is not cached, so the next payment tries again. A live key is used with the provider's own script only.
 */
export async function loadStripe({ publishableKey, cardScriptUrl = PROVIDER_SCRIPT }: Environment): Promise<Stripe> {
  if (publishableKey.startsWith("pk_live_") && !cardScriptUrl.startsWith(PROVIDER_HOST)) {
    throw new Error(`A live key needs a script of ${PROVIDER_HOST}`);
  }
  return (clients[publishableKey] ??= loadScript(cardScriptUrl)
    .then(() => page.Stripe!(publishableKey, { locale: "en-GB" }))
    .catch((error: unknown) => {
      delete clients[publishableKey];
      throw error;
    }));
}

function loadScript(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (page.Stripe) return resolve(0);
    const script = Object.assign(document.createElement("script"), {
      src: trusted(url),
      onload: resolve,
      onerror() {
        script.remove();
        reject(new Error("The card form did not load"));
      },
    });
    document.head.append(script);
  });
}

/** Trusted Types require a policy for a script's address. A page that names its policies must allow "farthing-widget". */
function trusted(url: string): string {
  policy ??= page.trustedTypes?.createPolicy("farthing-widget", { createScriptURL: (address) => address });
  return policy?.createScriptURL(url) ?? url;
}
