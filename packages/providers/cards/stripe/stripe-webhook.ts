import type { ReadCardEvent } from "@farthing/core/payments/provider.ts";
import Stripe from "stripe";

/** Maximum age of a signature: long enough for clocks that differ, too short for replays. */
const TOLERANCE_SECONDS = 300;

/** Verifies a webhook's signature over its exact bytes, and returns which payment it is about. */
export function readStripeWebhook(
  stripe: Stripe,
  { body, signature, secret, now }: { body: string; signature: string; secret: string; now: Date },
): ReadCardEvent {
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime());
    return {
      outcome: "read",
      event: { id: event.id, kind: event.type, providerPaymentId: paymentIntentOf(event.data.object) },
    };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      return { outcome: "refused", why: "The signature is wrong or too old." };
    if (error instanceof SyntaxError || error instanceof TypeError)
      return { outcome: "refused", why: "The body is no event." };
    throw error;
  }
}

/** Events are about an intent, or about a charge or refund of one. */
function paymentIntentOf(object: unknown): string | null {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>;
  if (kind === "payment_intent") return typeof id === "string" ? id : null;
  return typeof intent === "string" && (kind === "charge" || kind === "refund") ? intent : null;
}
