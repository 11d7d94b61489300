import type { Environment } from "./environments.ts";

/** The members of the provider's client script that the widget uses, and no more. */
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
/** Not declared on Window: a partner's own types of the provider's script would contradict them. */
const page = globalThis as typeof globalThis & { Stripe?: MakeStripe; trustedTypes?: TrustedTypes };

const PROVIDER_HOST = "https://js.stripe.com/";
const PROVIDER_SCRIPT = `${PROVIDER_HOST}endive/stripe.js`;

let policy: ScriptPolicy | undefined;
const clients: Record<string, Promise<Stripe>> = {};

/**
 * The provider's client for this environment's key. Its script is fetched on the first call; one already on the page is used as it is. A
 * failed load rejects and is forgotten, so the next payment tries again. A live key never meets another script than the provider's.
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

/** Under Trusted Types a script's address needs a policy; a page that names its policies allows "farthing-widget". */
function trusted(url: string): string {
  policy ??= page.trustedTypes?.createPolicy("farthing-widget", { createScriptURL: (address) => address });
  return policy?.createScriptURL(url) ?? url;
}
