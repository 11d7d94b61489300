import type Stripe from "stripe";
import { newPaymentIntent } from "./answers/payment-intent.ts";
import { takeCharge } from "./balance.ts";
import { CardsError, invalidRequest, missing, required } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { findCustomer, metadataFrom } from "./customers.ts";
import { emit } from "./events.ts";
import { below, listOf, textOf, type Fields } from "./form.ts";

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "requires_capture"
  | "succeeded"
  | "canceled";

/** The allowed actions on a payment intent, by its status. */
export const intentMoves = {
  requires_payment_method: ["update", "confirm", "cancel"],
  requires_confirmation: ["update", "confirm", "cancel"],
  requires_action: ["update", "confirm", "cancel", "finish"],
  requires_capture: ["capture", "cancel"],
  succeeded: [],
  canceled: [],
} as const satisfies Record<IntentStatus, readonly IntentMove[]>;

export type IntentMove = "update" | "confirm" | "cancel" | "capture" | "finish";

const knownTypes = ["card", "pay_by_bank"];
/** The provider's minimum amount for pounds, in pence. */
const MIN_PENCE = 30;
const MAX_PENCE = 99_999_999;

export function createIntent(cards: Cards, request: RequestNote, fields: Fields): Stripe.PaymentIntent {
  const amount = amountFrom(fields, "amount") ?? fail(required("amount"));
  const currency = textOf(fields, "currency")?.toLowerCase() ?? fail(required("currency"));
  if (!/^[a-z]{3}$/.test(currency)) throw invalidRequest(`Invalid currency: ${currency}.`, "currency");
  if (amount < MIN_PENCE)
    throw invalidRequest("Amount must convert to at least 30 pence.", "amount", "amount_too_small");
  const customer = textOf(fields, "customer");
  const id = `pi_3${randomText(23)}`;
  const automatic = automaticMethods(fields);
  const intent = newPaymentIntent({
    id,
    clientSecret: `${id}_secret_${randomText(25)}`,
    created: seconds(cards),
    amount,
    currency,
    customer: customer ? findCustomer(cards, customer, "customer").id : null,
    description: textOf(fields, "description") ?? null,
    receiptEmail: textOf(fields, "receipt_email") ?? null,
    metadata: metadataFrom(fields),
    captureMethod: captureMethod(fields),
    setupFutureUsage: setupFutureUsage(fields),
    automatic,
    methodTypes: methodTypes(fields, automatic),
    statementDescriptorSuffix: textOf(fields, "statement_descriptor_suffix") ?? null,
    transferGroup: textOf(fields, "transfer_group") ?? null,
  });
  cards.store.put(intent, { customer: intent.customer as string | null });
  emit(cards, request, "payment_intent.created", intent);
  return intent;
}

/** Reads an amount, in whole pence. */
export function amountFrom(fields: Fields, name: string): number | undefined {
  const text = textOf(fields, name);
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (!/^\d+$/.test(text)) throw invalidRequest(`Invalid integer: ${text}`, name, "parameter_invalid_integer");
  if (amount > MAX_PENCE) throw invalidRequest("Amount must be no more than £999,999.99", name, "amount_too_large");
  return amount;
}

/** Returns the payment method types. Without `payment_method_types`, they are automatic: the account's choice. */
function automaticMethods(fields: Fields): { allowRedirects: "always" | "never" } | null {
  const automatic = below(fields, "automatic_payment_methods");
  const named = listOf(fields, "payment_method_types").length > 0;
  if (named || textOf(automatic, "enabled") === "false") return null;
  return { allowRedirects: textOf(automatic, "allow_redirects") === "never" ? "never" : "always" };
}

function methodTypes(fields: Fields, automatic: { allowRedirects: string } | null): string[] {
  if (automatic) return automatic.allowRedirects === "never" ? ["card"] : [...knownTypes];
  const named = listOf(fields, "payment_method_types");
  const unknown = named.find((type) => !knownTypes.includes(type));
  if (unknown) throw invalidRequest(`The payment method type "${unknown}" is invalid.`, "payment_method_types");
  return named.length > 0 ? named : ["card"];
}

function captureMethod(fields: Fields): "automatic_async" | "automatic" | "manual" {
  const wanted = textOf(fields, "capture_method");
  return wanted === "manual" || wanted === "automatic" ? wanted : "automatic_async";
}

function setupFutureUsage(fields: Fields): "off_session" | "on_session" | null {
  const wanted = textOf(fields, "setup_future_usage");
  return wanted === "off_session" || wanted === "on_session" ? wanted : null;
}

export function findIntent(cards: Cards, id: string): Stripe.PaymentIntent {
  const intent = cards.store.find<Stripe.PaymentIntent>("payment_intent", id);
  if (!intent) throw missing("payment_intent", id, "intent");
  return intent;
}

/** Returns the intent if its status allows the action. @throws the provider's error, which contains the intent */
export function findFor(cards: Cards, id: string, move: IntentMove): Stripe.PaymentIntent {
  const intent = findIntent(cards, id);
  if ((intentMoves[intent.status as IntentStatus] as readonly string[]).includes(move)) return intent;
  throw new CardsError(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot ${move} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  });
}

export function updateIntent(cards: Cards, id: string, fields: Fields): Stripe.PaymentIntent {
  const intent = findFor(cards, id, "update");
  intent.amount = amountFrom(fields, "amount") ?? intent.amount;
  intent.description = textOf(fields, "description") ?? intent.description;
  intent.receipt_email = textOf(fields, "receipt_email") ?? intent.receipt_email;
  intent.metadata = metadataFrom(fields, intent.metadata);
  if ("setup_future_usage" in fields) intent.setup_future_usage = setupFutureUsage(fields);
  const customer = textOf(fields, "customer");
  if (customer) intent.customer = findCustomer(cards, customer, "customer").id;
  return cards.store.put(intent, { customer: intent.customer as string | null });
}

export function cancelIntent(cards: Cards, request: RequestNote, id: string, fields: Fields): Stripe.PaymentIntent {
  const intent = findFor(cards, id, "cancel");
  intent.status = "canceled";
  intent.canceled_at = seconds(cards);
  intent.cancellation_reason = textOf(fields, "cancellation_reason") ?? null;
  intent.next_action = null;
  intent.amount_capturable = 0;
  cards.store.put(intent);
  emit(cards, request, "payment_intent.canceled", intent);
  return intent;
}

export function captureIntent(cards: Cards, request: RequestNote, id: string, fields: Fields): Stripe.PaymentIntent {
  const intent = findFor(cards, id, "capture");
  const amount = amountFrom(fields, "amount_to_capture") ?? intent.amount_capturable;
  if (amount > intent.amount_capturable)
    throw invalidRequest(
      "The requested capture amount is greater than the authorized amount.",
      "amount_to_capture",
      "amount_too_large",
    );
  const charge = cards.store.find<Stripe.Charge>("charge", String(intent.latest_charge));
  if (charge) {
    charge.captured = true;
    charge.amount_captured = amount;
    charge.balance_transaction = takeCharge(cards, charge).id;
    cards.store.put(charge);
    emit(cards, request, "charge.captured", charge);
  }
  intent.status = "succeeded";
  intent.amount_received = amount;
  intent.amount_capturable = 0;
  cards.store.put(intent);
  emit(cards, request, "payment_intent.succeeded", intent);
  return intent;
}

function fail(error: Error): never {
  throw error;
}
