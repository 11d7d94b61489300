import type Stripe from "stripe";
import { invalidRequest, required } from "./card-error.ts";
import type { Cards } from "./cards.ts";
import { accessBy } from "./customers.ts";
import { textOf, type Fields } from "./form.ts";
import { findIntent } from "./payment-intents.ts";
import { methodsOf } from "./payment-methods.ts";

/** What the payment form needs to render. The real provider's format is private to its script; this one is ours. */
export interface ElementsSession {
  object: "elements_session";
  amount: number;
  currency: string;
  status: string;
  payment_method_types: string[];
  saved: { id: string; brand: string; last4: string; exp_month: number; exp_year: number }[];
  may_save: boolean;
  may_remove: boolean;
}

/**
 * Returns the session of a payment form: its intent by `client_secret`, and the customer's saved cards by a customer session's secret, or by the
 * older pair of customer and ephemeral key.
 */
export function elementsSession(cards: Cards, fields: Fields): ElementsSession {
  const secret = textOf(fields, "client_secret");
  if (!secret) throw required("client_secret");
  const intent = findIntent(cards, secret.split("_secret_")[0] ?? "");
  if (intent.client_secret !== secret)
    throw invalidRequest(
      "The client_secret provided does not match any associated PaymentIntent on this account.",
      "client_secret",
    );
  const customerSecret = textOf(fields, "customer_session_client_secret") ?? textOf(fields, "ephemeral_key");
  const access = customerSecret ? accessBy(cards, customerSecret) : null;
  const wantedCustomer = textOf(fields, "customer");
  if (access && wantedCustomer && wantedCustomer !== access.customer)
    throw invalidRequest("The ephemeral key is for another customer.", "customer");
  // An ephemeral key has no features: it shows saved cards, as older forms did.
  const byKey = access !== null && access.features === null && textOf(fields, "ephemeral_key") !== undefined;
  const redisplay = byKey || access?.features?.payment_method_redisplay === "enabled";
  const filters = access?.features?.payment_method_allow_redisplay_filters ?? ["always", "limited", "unspecified"];
  const saved =
    access && redisplay
      ? methodsOf(cards, access.customer, "card").filter((method) =>
          filters.includes(method.allow_redisplay ?? "unspecified"),
        )
      : [];
  return {
    object: "elements_session",
    amount: intent.amount,
    currency: intent.currency,
    status: intent.status,
    payment_method_types: intent.payment_method_types,
    saved: saved.slice(0, access?.features?.payment_method_redisplay_limit ?? 10).flatMap(savedCard),
    may_save: access?.features?.payment_method_save === "enabled",
    may_remove: access?.features?.payment_method_remove === "enabled",
  };
}

function savedCard(method: Stripe.PaymentMethod): ElementsSession["saved"] {
  const { card } = method;
  return card
    ? [
        {
          id: method.id,
          brand: card.display_brand ?? card.brand,
          last4: card.last4,
          exp_month: card.exp_month,
          exp_year: card.exp_year,
        },
      ]
    : [];
}
