import type Stripe from "stripe";
import { newCharge } from "./answers/charge.ts";
import { takeCharge } from "./balance.ts";
import { CardsError, invalidRequest } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { emit } from "./events.ts";
import { below, textOf, type Fields } from "./form.ts";
import { findFor, findIntent } from "./payment-intents.ts";
import { createPaymentMethod, findPaymentMethod, numberOf, usePaymentMethod } from "./payment-methods.ts";
import { behaviourOf, type Refusal } from "./test-cards.ts";

/** Stored with an intent while the person is at a challenge or a bank. */
export interface PendingAction {
  /** The secret in the address of that page. */
  token: string;
  kind: "challenge" | "bank";
  returnUrl: string | null;
}

const challengeFailed: Refusal = {
  code: "payment_intent_authentication_failure",
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

/**
 * Confirms an intent: charges the given payment method, or the intent's, after a challenge or a visit to the bank if the method requires it.
 * @throws the provider's card error for a decline, after recording it on the intent; the recorded change is kept
 */
export function confirmIntent(cards: Cards, request: RequestNote, id: string, fields: Fields): Stripe.PaymentIntent {
  const intent = findFor(cards, id, "confirm");
  const method = methodFor(cards, intent, fields);
  if (!intent.payment_method_types.includes(method.type))
    throw invalidRequest(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent.`,
      "payment_method",
    );
  const usage = textOf(fields, "setup_future_usage");
  if (usage === "off_session" || usage === "on_session") intent.setup_future_usage = usage;
  const returnUrl = returnUrlFrom(fields);
  if (
    intent.automatic_payment_methods?.allow_redirects === "always" &&
    !returnUrl &&
    textOf(fields, "use_stripe_sdk") !== "true"
  ) {
    throw invalidRequest(
      "This PaymentIntent is configured to accept payment methods that require a redirect; you must provide a `return_url`.",
      "return_url",
    );
  }
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = null;

  const onPage = textOf(fields, "use_stripe_sdk") === "true";
  if (method.type === "pay_by_bank") {
    if (!returnUrl) throw invalidRequest("A `return_url` must be specified for this payment method.", "return_url");
    return sendAway(cards, request, intent, "bank", returnUrl, false);
  }
  if (behaviourOf(numberOf(cards, method)).challenge)
    return sendAway(cards, request, intent, "challenge", returnUrl, onPage);
  return charge(cards, request, intent, method, false);
}

function methodFor(cards: Cards, intent: Stripe.PaymentIntent, fields: Fields): Stripe.PaymentMethod {
  const given = textOf(fields, "payment_method");
  if (given) {
    const method = usePaymentMethod(cards, given);
    if (method.customer !== null && method.customer !== intent.customer)
      throw invalidRequest("The PaymentMethod belongs to another customer.", "payment_method");
    return method;
  }
  const data = below(fields, "payment_method_data");
  if (Object.keys(data).length > 0) return createPaymentMethod(cards, data);
  if (typeof intent.payment_method === "string") return findPaymentMethod(cards, intent.payment_method);
  throw invalidRequest(
    "You cannot confirm this PaymentIntent because it's missing a payment method.",
    "payment_method",
    "payment_intent_unexpected_state",
  );
}

function returnUrlFrom(fields: Fields): string | null {
  const text = textOf(fields, "return_url");
  if (!text) return null;
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw invalidRequest("Not a valid URL", "return_url", "url_invalid");
  return url.href;
}

/** Sends the person to answer elsewhere: in a frame that the provider's script opens, or on a page of the provider. */
function sendAway(
  cards: Cards,
  request: RequestNote,
  intent: Stripe.PaymentIntent,
  kind: PendingAction["kind"],
  returnUrl: string | null,
  onPage: boolean,
): Stripe.PaymentIntent {
  const pending: PendingAction = { token: randomText(32), kind, returnUrl };
  const url = `${request.origin}/cards/${kind}/${intent.id}?token=${pending.token}`;
  intent.status = "requires_action";
  intent.next_action = onPage
    ? { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url } }
    : { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url } };
  cards.store.put(intent, { customer: intent.customer as string | null }, pending);
  emit(cards, request, "payment_intent.requires_action", intent);
  return intent;
}

/** Returns the intent of a challenge, if the address's secret is right. */
export function findPending(
  cards: Cards,
  id: string,
  token: string | undefined,
): { intent: Stripe.PaymentIntent; pending: PendingAction } | undefined {
  const hidden = cards.store.hiddenOf<PendingAction>(id);
  if (!token || !hidden.token || hidden.token !== token || !hidden.kind) return undefined;
  return { intent: findIntent(cards, id), pending: { token, kind: hidden.kind, returnUrl: hidden.returnUrl ?? null } };
}

/** Applies the person's answer: yes charges the method, no is a failed authentication. An intent that has changed state stays as it is. */
export function finishAction(cards: Cards, request: RequestNote, id: string, agreed: boolean): Stripe.PaymentIntent {
  const intent = findIntent(cards, id);
  if (intent.status !== "requires_action" || typeof intent.payment_method !== "string") return intent;
  const method = findPaymentMethod(cards, intent.payment_method);
  intent.next_action = null;
  if (agreed) {
    try {
      return charge(cards, request, intent, method, true);
    } catch (error) {
      // Declined after the challenge: the page reads it from the intent.
      if (error instanceof CardsError) return findIntent(cards, id);
      throw error;
    }
  }
  return refuse(cards, request, intent, method, challengeFailed, null);
}

function charge(
  cards: Cards,
  request: RequestNote,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
): Stripe.PaymentIntent {
  const refusal = method.type === "card" ? behaviourOf(numberOf(cards, method)).refusal : null;
  const captured = intent.capture_method !== "manual";
  const made = newCharge({
    id: `ch_3${randomText(23)}`,
    created: seconds(cards),
    intent,
    method,
    refusal,
    captured,
    authenticated,
  });
  if (!refusal && captured) made.balance_transaction = takeCharge(cards, made).id;
  cards.store.put(made, { customer: intent.customer as string | null, intent: intent.id });
  intent.latest_charge = made.id;
  emit(cards, request, refusal ? "charge.failed" : "charge.succeeded", made);
  if (refusal) {
    const refused = refuse(cards, request, intent, method, refusal, made.id);
    throw new CardsError(402, {
      ...errorOf(refusal),
      charge: made.id,
      payment_intent: refused,
      payment_method: method,
    });
  }
  intent.next_action = null;
  intent.status = captured ? "succeeded" : "requires_capture";
  intent.amount_received = captured ? intent.amount : 0;
  intent.amount_capturable = captured ? 0 : intent.amount;
  keepMethod(cards, request, intent, method);
  cards.store.put(intent);
  emit(cards, request, captured ? "payment_intent.succeeded" : "payment_intent.amount_capturable_updated", intent);
  return intent;
}

function refuse(
  cards: Cards,
  request: RequestNote,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  refusal: Refusal,
  chargeId: string | null,
): Stripe.PaymentIntent {
  intent.status = "requires_payment_method";
  intent.payment_method = null;
  intent.last_payment_error = {
    ...errorOf(refusal),
    ...(chargeId ? { charge: chargeId } : {}),
    payment_method: method,
  };
  cards.store.put(intent);
  emit(cards, request, "payment_intent.payment_failed", intent);
  return intent;
}

function errorOf(refusal: Refusal) {
  const ours = refusal === challengeFailed;
  return {
    type: ours ? ("invalid_request_error" as const) : ("card_error" as const),
    code: refusal.code,
    message: refusal.message,
    doc_url: `https://stripe.com/docs/error-codes/${refusal.code.replaceAll("_", "-")}`,
    ...(refusal.declineCode ? { decline_code: refusal.declineCode } : {}),
  };
}

/** Attaches the card to the customer if the payment sets up later ones. */
function keepMethod(
  cards: Cards,
  request: RequestNote,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  if (
    !intent.setup_future_usage ||
    typeof intent.customer !== "string" ||
    method.customer !== null ||
    method.type !== "card"
  )
    return;
  method.customer = intent.customer;
  if (method.allow_redisplay === "unspecified") method.allow_redisplay = "always";
  cards.store.put(method, { customer: intent.customer });
  emit(cards, request, "payment_method.attached", method);
}
