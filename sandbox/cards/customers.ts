import type Stripe from "stripe";
import { newCustomer, newCustomerSession, newEphemeralKey } from "./answers/customer.ts";
import { invalidRequest, missing, required } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { emit } from "./events.ts";
import { below, listOf, textOf, type Fields } from "./form.ts";

/** Updates `metadata` with text fields; an empty text removes a key. */
export function metadataFrom(fields: Fields, before: Stripe.Metadata = {}): Record<string, string> {
  const merged = { ...before };
  for (const [key, value] of Object.entries(below(fields, "metadata"))) {
    if (typeof value !== "string") continue;
    if (value === "") delete merged[key];
    else merged[key] = value;
  }
  return merged;
}

export function createCustomer(cards: Cards, request: RequestNote, fields: Fields): Stripe.Customer {
  const customer = newCustomer({
    id: `cus_${randomText(14)}`,
    created: seconds(cards),
    email: textOf(fields, "email") ?? null,
    name: textOf(fields, "name") ?? null,
    phone: textOf(fields, "phone") ?? null,
    description: textOf(fields, "description") ?? null,
    metadata: metadataFrom(fields),
  });
  cards.store.put(customer);
  emit(cards, request, "customer.created", customer);
  return customer;
}

export function findCustomer(cards: Cards, id: string, param = "id"): Stripe.Customer {
  const customer = cards.store.find<Stripe.Customer>("customer", id);
  if (!customer) throw missing("customer", id, param);
  return customer;
}

export function updateCustomer(cards: Cards, request: RequestNote, id: string, fields: Fields): Stripe.Customer {
  const customer = findCustomer(cards, id);
  for (const name of ["email", "name", "phone", "description"] as const) {
    const value = textOf(fields, name);
    if (value !== undefined) customer[name] = value || null;
  }
  customer.metadata = metadataFrom(fields, customer.metadata);
  cards.store.put(customer);
  emit(cards, request, "customer.updated", customer);
  return customer;
}

export function deleteCustomer(cards: Cards, request: RequestNote, id: string): Stripe.DeletedCustomer {
  const customer = findCustomer(cards, id);
  cards.store.remove(id);
  emit(cards, request, "customer.deleted", customer);
  return { id, object: "customer", deleted: true };
}

/** What an ephemeral key or a customer session allows a browser to do, stored with its secret. */
export interface CustomerAccess {
  secret: string;
  customer: string;
  expires: number;
  features: Stripe.CustomerSession.Components.PaymentElement.Features | null;
}

export function createEphemeralKey(cards: Cards, fields: Fields, version: string | undefined): Stripe.EphemeralKey {
  const id = textOf(fields, "customer");
  if (!id) throw required("customer");
  if (!version) throw invalidRequest("Please set the Stripe-Version header when creating an ephemeral key.");
  const customer = findCustomer(cards, id, "customer");
  const key = newEphemeralKey({
    id: `ephkey_${randomText(24)}`,
    secret: `ek_test_${randomText(40)}`,
    created: seconds(cards),
    customer: customer.id,
  });
  grantAccess(cards, "ephemeral_key", {
    secret: key.secret ?? "",
    customer: customer.id,
    expires: key.expires,
    features: null,
  });
  return key;
}

export function createCustomerSession(cards: Cards, fields: Fields): Stripe.CustomerSession {
  const id = textOf(fields, "customer");
  if (!id) throw required("customer");
  const customer = findCustomer(cards, id, "customer");
  const element = below(below(fields, "components"), "payment_element");
  const wanted = below(element, "features");
  const enabled = textOf(element, "enabled") === "true";
  const filters = listOf(wanted, "payment_method_allow_redisplay_filters");
  const features: Stripe.CustomerSession.Components.PaymentElement.Features = {
    payment_method_allow_redisplay_filters: filters.length > 0 ? filters : ["always"],
    payment_method_redisplay: textOf(wanted, "payment_method_redisplay") ?? "disabled",
    payment_method_redisplay_limit: Number(textOf(wanted, "payment_method_redisplay_limit") ?? 3),
    payment_method_remove: textOf(wanted, "payment_method_remove") ?? "disabled",
    payment_method_save: textOf(wanted, "payment_method_save") ?? "disabled",
    payment_method_save_usage: textOf(wanted, "payment_method_save_usage") ?? null,
  };
  const session = newCustomerSession({
    clientSecret: `cuss_secret_${randomText(40)}`,
    customer: customer.id,
    created: seconds(cards),
    paymentElement: { enabled, features: enabled ? features : null },
  });
  grantAccess(cards, "customer_session", {
    secret: session.client_secret,
    customer: customer.id,
    expires: session.expires_at,
    features: enabled ? features : null,
  });
  return session;
}

function grantAccess(cards: Cards, object: string, access: CustomerAccess): void {
  cards.store.put({ id: access.secret, object: `access:${object}` }, { customer: access.customer }, access);
}

/** Returns the customer of a browser's secret. @throws CardError if the secret is unknown or expired */
export function accessBy(cards: Cards, secret: string): CustomerAccess {
  const access = cards.store.hiddenOf<CustomerAccess>(secret);
  if (!access.secret || !access.customer || !access.expires)
    throw invalidRequest("The customer session or ephemeral key is not valid.", "customer_session_client_secret");
  if (access.expires <= seconds(cards))
    throw invalidRequest("The customer session or ephemeral key has expired.", "customer_session_client_secret");
  return {
    secret: access.secret,
    customer: access.customer,
    expires: access.expires,
    features: access.features ?? null,
  };
}
