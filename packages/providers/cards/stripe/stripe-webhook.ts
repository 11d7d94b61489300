import type { CardEvent, ReadCardEvent } from "@farthing/core/payments/provider.ts";
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
  const { id, type: kind, data } = (event as Partial<Record<"id" | "type" | "data", unknown>> | null) ?? {};
  const object: unknown = (data as { object?: unknown } | null | undefined)?.object;
  if (!isName(id) || !isName(kind) || typeof object !== "object" || object === null)
    return { outcome: "refused", why: "The body is no event." };
  return {
    outcome: "read",
    event: { id, kind, providerPaymentId: paymentIntentOf(object), about: subjectOf(kind, object) },
  };
}

/** Returns whether a value can be an id or a type: the provider's have far fewer characters. */
const isName = (value: unknown): value is string => typeof value === "string" && /^[!-~]{1,255}$/.test(value);

/** Returns what an event tells of: an intent's refunds or disputes, or the intent itself. */
function subjectOf(kind: string, object: object): CardEvent["about"] {
  const { object: type } = object as Record<string, unknown>;
  if (type === "dispute") return "dispute";
  return type === "refund" || kind === "charge.refunded" ? "refund" : "payment";
}

/** Events are about an intent, or about a charge, refund or dispute of one. */
function paymentIntentOf(object: object): string | null {
  const { object: kind, id, payment_intent: intent } = object as Record<string, unknown>;
  if (kind === "payment_intent") return isName(id) ? id : null;
  const isOfIntent = kind === "charge" || kind === "refund" || kind === "dispute";
  return isName(intent) && isOfIntent ? intent : null;
}
