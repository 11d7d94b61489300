import type { CardProvider } from "@farthing/core/payments/provider.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import type { Config } from "../env.ts";

/** Opens the card provider; null if card payments are not configured. */
export function openCards({ stripe }: Pick<Config, "stripe">): CardProvider | null {
  return stripe && createStripeProvider(stripe);
}
