import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import type { Config } from "../env.ts";

/** Opens the accounts at the card provider: one for both modes where the deployment itself takes no money. */
export function openCards({ stripe, stripeTest }: Pick<Config, "stripe" | "stripeTest">): CardAccounts {
  const live = stripe && createStripeProvider(stripe);
  return { live, test: stripeTest === stripe ? live : stripeTest && createStripeProvider(stripeTest) };
}
