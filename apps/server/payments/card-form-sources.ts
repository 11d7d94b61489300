import type { Config } from "../env.ts";

/** What a page that opens the card form must be allowed to load of the card provider, by directive. */
export interface CardFormSources {
  script: readonly string[];
  frame: readonly string[];
  connect: readonly string[];
}

/** As docs/widget/content-security-policy.md tells partners. */
const PROVIDER: CardFormSources = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
};

/** Returns the sources of this deployment's card form; null where no payments are taken. */
export function cardFormSources({ stripe }: Pick<Config, "stripe">): CardFormSources | null {
  if (!stripe) return null;
  if (!stripe.scriptUrl) return PROVIDER;
  // In development the sandbox stands in for the provider, with everything at one origin.
  const { origin } = new URL(stripe.scriptUrl);
  return { script: [origin], frame: [origin], connect: [origin] };
}
