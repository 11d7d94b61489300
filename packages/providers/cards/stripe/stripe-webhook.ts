import type { ReadCardEvent } from "@farthing/core/payments/provider.ts";
import type Stripe from "stripe";

/** Maximum age of a signature: long enough for clocks that differ, too short for replays. */
const TOLERANCE_SECONDS = 300;

/** Verifies a webhook's signature over its exact bytes, and returns which payment it is about. */
export function readStripeWebhook(
  stripe: Stripe,
  { body, signature, secret, now }: { body: string; signature: string; secret: string; now: Date },
): ReadCardEvent {
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch (error) {
    // Only the body's JSON is read after the signature. The SDK throws other errors for signatures of a wrong form.
    const isSigned = error instanceof SyntaxError;
    return { outcome: "refused", why: isSigned ? "The body is no event." : "The signature is wrong or too old." };
  }
  const object: unknown = (event as Partial<Stripe.Event> | null)?.data?.object;
  if (typeof object !== "object" || object === null) return { outcome: "refused", why: "The body is no event." };
  return { outcome: "read", event: { id: event.id, kind: event.type, providerPaymentId: paymentIntentOf(object) } };
}

/** Events are about an intent, or about a charge or refund of one. */
function paymentIntentOf(object: object): string | null {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>;
  if (kind === "payment_intent") return typeof id === "string" ? id : null;
  return typeof intent === "string" && (kind === "charge" || kind === "refund") ? intent : null;
}
