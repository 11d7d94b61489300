import { createHash } from "node:crypto";
import type Stripe from "stripe";
import { newBankMethod, newCardMethod } from "./answers/payment-method.ts";
import { CardsError, invalidRequest, missing, required } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { findCustomer } from "./customers.ts";
import { emit } from "./events.ts";
import { below, textOf, type Fields } from "./form.ts";
import { behaviourOf, passesLuhn, readyMadeMethods } from "./test-cards.ts";

/** Stored with a payment method, never sent. */
interface HiddenCard {
  number: string;
}

/** Creates a payment method from a browser's or a test's data. Validates a card's number, date and code as the provider does. */
export function createPaymentMethod(cards: Cards, fields: Fields): Stripe.PaymentMethod {
  const type = textOf(fields, "type");
  if (!type) throw required("type");
  const billing = below(fields, "billing_details");
  const address = below(billing, "address");
  const redisplay = textOf(fields, "allow_redisplay");
  const given = {
    id: `pm_1${randomText(23)}`,
    created: seconds(cards),
    customer: null,
    name: textOf(billing, "name") ?? null,
    email: textOf(billing, "email") ?? null,
    postcode: textOf(address, "postal_code") ?? null,
    country: textOf(address, "country") ?? null,
    allowRedisplay:
      redisplay === "always" || redisplay === "limited"
        ? (redisplay as "always" | "limited")
        : ("unspecified" as const),
  };
  if (type === "pay_by_bank") return cards.store.put(newBankMethod(given), {}, {});
  if (type !== "card") throw invalidRequest(`Invalid type: must be one of card or pay_by_bank`, "type");
  const card = below(fields, "card");
  const number = (textOf(card, "number") ?? "").replace(/\s/g, "");
  const { expMonth, expYear } = checkCard(cards, number, card);
  return storeCard(cards, given, number, expMonth, expYear);
}

function storeCard(
  cards: Cards,
  given: Parameters<typeof newCardMethod>[0],
  number: string,
  expMonth: number,
  expYear: number,
): Stripe.PaymentMethod {
  const { brand, funding } = behaviourOf(number);
  const fingerprint = createHash("sha256").update(number).digest("base64url").slice(0, 16);
  const hidden: HiddenCard = { number };
  return cards.store.put(
    newCardMethod(given, { brand, funding, expMonth, expYear, last4: number.slice(-4), fingerprint }),
    {},
    hidden,
  );
}

function checkCard(cards: Cards, number: string, card: Fields): { expMonth: number; expYear: number } {
  const wrong = (code: string, param: string, message: string): CardsError =>
    new CardsError(402, { type: "card_error", code, param, message });
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number))
    throw wrong("incorrect_number", "number", "Your card number is incorrect.");
  const expMonth = Number(textOf(card, "exp_month"));
  const expYear = fullYear(Number(textOf(card, "exp_year")));
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12)
    throw wrong("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.");
  const now = new Date(cards.now());
  const past = expYear < now.getUTCFullYear() || (expYear === now.getUTCFullYear() && expMonth < now.getUTCMonth() + 1);
  if (!Number.isInteger(expYear) || past || expYear > now.getUTCFullYear() + 50)
    throw wrong("invalid_expiry_year", "exp_year", "Your card's expiration year is invalid.");
  const cvc = textOf(card, "cvc");
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc))
    throw wrong("invalid_cvc", "cvc", "Your card's security code is invalid.");
  return { expMonth, expYear };
}

function fullYear(year: number): number {
  return year >= 0 && year < 100 ? 2000 + year : year;
}

/** Returns a payment method by id. The provider's test methods (pm_card_visa …) create a new one on each use. */
export function usePaymentMethod(cards: Cards, id: string): Stripe.PaymentMethod {
  const number = readyMadeMethods.get(id);
  if (!number) return findPaymentMethod(cards, id, "payment_method");
  const year = new Date(cards.now()).getUTCFullYear() + 1;
  const given = {
    id: `pm_1${randomText(23)}`,
    created: seconds(cards),
    customer: null,
    name: null,
    email: null,
    postcode: null,
    country: null,
    allowRedisplay: "unspecified" as const,
  };
  return storeCard(cards, given, number, 12, year);
}

export function findPaymentMethod(cards: Cards, id: string, param = "payment_method"): Stripe.PaymentMethod {
  const method = cards.store.find<Stripe.PaymentMethod>("payment_method", id);
  if (!method) throw missing("PaymentMethod", id, param);
  return method;
}

/** Returns a card's number, which decides its outcome. */
export function numberOf(cards: Cards, method: Stripe.PaymentMethod): string {
  return cards.store.hiddenOf<HiddenCard>(method.id).number ?? "";
}

export function attachMethod(
  cards: Cards,
  request: RequestNote,
  id: string,
  customerId: string | undefined,
): Stripe.PaymentMethod {
  if (!customerId) throw required("customer");
  const customer = findCustomer(cards, customerId, "customer");
  const method = usePaymentMethod(cards, id);
  if (method.customer !== null && method.customer !== customer.id)
    throw invalidRequest("The payment method you provided has already been attached to a customer.");
  method.customer = customer.id;
  cards.store.put(method, { customer: customer.id });
  emit(cards, request, "payment_method.attached", method);
  return method;
}

export function detachMethod(cards: Cards, request: RequestNote, id: string): Stripe.PaymentMethod {
  const method = findPaymentMethod(cards, id);
  if (method.customer === null)
    throw invalidRequest("The payment method you provided is not attached to a customer so detachment is impossible.");
  method.customer = null;
  cards.store.put(method, { customer: null });
  emit(cards, request, "payment_method.detached", method);
  return method;
}

export function methodsOf(cards: Cards, customer: string, type: string | undefined): Stripe.PaymentMethod[] {
  return cards.store
    .list<Stripe.PaymentMethod>("payment_method", { customer })
    .filter((method) => !type || method.type === type);
}
