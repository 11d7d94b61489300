import type { Environment } from "./environments.ts";

/** The members of the provider's client script that the widget uses, and no more. */
export type Stripe = {
  elements(options: Record<string, unknown>): StripeElements;
  retrievePaymentIntent(clientSecret: string): Promise<{ paymentIntent?: { amount: number; currency: string }; error?: StripeError }>;
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
export type StripeError = { message?: string; code?: string; type?: string; payment_intent?: { status?: string } };

type MakeStripe = (publishableKey: string, options: object) => Stripe;
type ScriptPolicy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
declare global {
  interface Window {
    Stripe?: MakeStripe;
    trustedTypes?: TrustedTypes;
  }
}

const PROVIDER_HOST = "https://js.stripe.com/";
const PROVIDER_SCRIPT = `${PROVIDER_HOST}endive/stripe.js`;
/** A script that neither loads nor fails is as good as blocked. */
const LOAD_TIMEOUT = 30_000;

let policy: ScriptPolicy | undefined;
let loading: Promise<MakeStripe> | undefined;
const instances: Record<string, Stripe> = {};

/**
 * The provider's client for this environment's key. Its script is fetched on the first call; one already on the page is used as it is. A
 * failed load rejects and is forgotten, so the next payment tries again. A live key never meets another script than the provider's.
 */
export async function loadStripe({ publishableKey, cardScriptUrl = PROVIDER_SCRIPT }: Environment): Promise<Stripe> {
  if (publishableKey.startsWith("pk_live_") && !cardScriptUrl.startsWith(PROVIDER_HOST)) {
    throw new Error("A live key needs the card provider's own script");
  }
  loading ??= loadScript(cardScriptUrl).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const makeStripe = await loading;
  return (instances[publishableKey] ??= makeStripe(publishableKey, { locale: "en-GB" }));
}

function loadScript(url: string): Promise<MakeStripe> {
  return new Promise((resolve, reject) => {
    if (window.Stripe) return resolve(window.Stripe);
    const script = document.createElement("script");
    const settle = () => {
      if (window.Stripe) return resolve(window.Stripe);
      script.remove();
      reject(new Error("The card provider did not load"));
    };
    setTimeout(settle, LOAD_TIMEOUT);
    script.onload = script.onerror = settle;
    script.src = trusted(url);
    document.head.append(script);
  });
}

/** Under Trusted Types a script's address needs a policy; a page that names its policies allows "farthing-widget". */
function trusted(url: string): string {
  policy ??= window.trustedTypes?.createPolicy("farthing-widget", { createScriptURL: (address) => address });
  return policy?.createScriptURL(url) ?? url;
}
