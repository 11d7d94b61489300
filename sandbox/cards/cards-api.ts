import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import type Stripe from "stripe";
import { answeredBefore, keepAnswer } from "./answered-requests.ts";
import { balanceOf } from "./balance.ts";
import { CardsError, invalidRequest, missing } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import type { Cards, RequestNote } from "./cards.ts";
import { confirmIntent } from "./confirm-intent.ts";
import {
  accessBy,
  createCustomer,
  createCustomerSession,
  createEphemeralKey,
  deleteCustomer,
  findCustomer,
  updateCustomer,
} from "./customers.ts";
import { elementsSession } from "./elements-session.ts";
import { expand } from "./expand.ts";
import { below, listOf, readForm, textOf, type Fields } from "./form.ts";
import { listPage } from "./list-page.ts";
import { cancelIntent, captureIntent, createIntent, findIntent, updateIntent } from "./payment-intents.ts";
import { attachMethod, createPaymentMethod, detachMethod, findPaymentMethod, methodsOf } from "./payment-methods.ts";
import { createRefund } from "./refunds.ts";

/** The caller: the merchant's server, or a browser with the publishable key and an object's secret. */
type Caller = "server" | "browser";

/** A parsed request with its caller. */
interface Call {
  id: string;
  fields: Fields;
  note: RequestNote;
  caller: Caller;
  version: string | undefined;
}

type Operation = (call: Call) => object;

/** The provider's API at /v1, with what one-off payments with saved cards need. */
export function cardsApi(cards: Cards): Hono {
  const api = new Hono();
  const { store } = cards;
  api.use(
    cors({
      origin: "*",
      allowHeaders: ["Authorization", "Content-Type", "Stripe-Version", "Idempotency-Key"],
      maxAge: 300,
    }),
  );

  const route = (
    method: "get" | "post" | "delete",
    path: string,
    callers: readonly Caller[],
    operation: Operation,
  ): void => {
    api[method](path, (context) => answer(context, cards, callers, operation));
  };
  const server = ["server"] as const;
  const both = ["server", "browser"] as const;

  route("post", "/customers", server, ({ note, fields }) => createCustomer(cards, note, fields));
  route("get", "/customers", server, ({ fields }) => {
    const email = textOf(fields, "email");
    const found = store.list<Stripe.Customer>("customer").filter((one) => !email || one.email === email);
    return listPage(found, fields, "/v1/customers");
  });
  route("get", "/customers/:id", server, ({ id }) => findCustomer(cards, id));
  route("post", "/customers/:id", server, ({ note, id, fields }) => updateCustomer(cards, note, id, fields));
  route("delete", "/customers/:id", server, ({ note, id }) => deleteCustomer(cards, note, id));
  route("get", "/customers/:id/payment_methods", server, ({ id, fields }) => {
    findCustomer(cards, id);
    return listPage(methodsOf(cards, id, textOf(fields, "type")), fields, `/v1/customers/${id}/payment_methods`);
  });

  route("post", "/ephemeral_keys", server, ({ fields, version }) => createEphemeralKey(cards, fields, version));
  route("post", "/customer_sessions", server, ({ fields }) => createCustomerSession(cards, fields));

  route("post", "/payment_intents", server, ({ note, fields }) => {
    const intent = createIntent(cards, note, fields);
    return textOf(fields, "confirm") === "true" ? confirmIntent(cards, note, intent.id, fields) : intent;
  });
  route("get", "/payment_intents", server, ({ fields }) =>
    listPage(
      store.list<Stripe.PaymentIntent>("payment_intent", { customer: textOf(fields, "customer") }),
      fields,
      "/v1/payment_intents",
    ),
  );
  route("get", "/payment_intents/:id", both, (call) => ownIntent(cards, call));
  route("post", "/payment_intents/:id", server, ({ id, fields }) => updateIntent(cards, id, fields));
  route("post", "/payment_intents/:id/confirm", both, (call) => {
    ownIntent(cards, call);
    return confirmIntent(cards, call.note, call.id, call.fields);
  });
  route("post", "/payment_intents/:id/cancel", server, ({ note, id, fields }) => cancelIntent(cards, note, id, fields));
  route("post", "/payment_intents/:id/capture", server, ({ note, id, fields }) =>
    captureIntent(cards, note, id, fields),
  );

  route("post", "/payment_methods", both, ({ fields }) => createPaymentMethod(cards, fields));
  route("get", "/payment_methods", server, ({ fields }) => {
    const customer = textOf(fields, "customer");
    if (!customer) throw invalidRequest("You must provide a customer.", "customer");
    return listPage(methodsOf(cards, customer, textOf(fields, "type")), fields, "/v1/payment_methods");
  });
  route("get", "/payment_methods/:id", server, ({ id }) => findPaymentMethod(cards, id));
  route("post", "/payment_methods/:id/attach", server, ({ note, id, fields }) =>
    attachMethod(cards, note, id, textOf(fields, "customer")),
  );
  route("post", "/payment_methods/:id/detach", both, (call) => {
    if (call.caller === "browser") mayRemove(cards, call);
    return detachMethod(cards, call.note, call.id);
  });

  route("get", "/charges", server, ({ fields }) =>
    listPage(
      store.list<Stripe.Charge>("charge", {
        intent: textOf(fields, "payment_intent"),
        customer: textOf(fields, "customer"),
      }),
      fields,
      "/v1/charges",
    ),
  );
  route("get", "/charges/:id", server, ({ id }) => store.find<Stripe.Charge>("charge", id) ?? notFound("charge", id));
  route("post", "/refunds", server, ({ note, fields }) => createRefund(cards, note, fields));
  route("get", "/refunds", server, ({ fields }) =>
    listPage(store.list<Stripe.Refund>("refund", { intent: textOf(fields, "payment_intent") }), fields, "/v1/refunds"),
  );
  route("get", "/refunds/:id", server, ({ id }) => store.find<Stripe.Refund>("refund", id) ?? notFound("refund", id));
  route("get", "/disputes", server, ({ fields }) => {
    const since = Number(textOf(below(fields, "created"), "gte") ?? 0);
    const found = store.list<Stripe.Dispute>("dispute", { intent: textOf(fields, "payment_intent") });
    return listPage(
      found.filter(({ created }) => created >= since),
      fields,
      "/v1/disputes",
    );
  });
  route(
    "get",
    "/disputes/:id",
    server,
    ({ id }) => store.find<Stripe.Dispute>("dispute", id) ?? notFound("dispute", id),
  );
  route("get", "/balance", server, () => balanceOf(cards));
  route(
    "get",
    "/balance_transactions/:id",
    server,
    ({ id }) => store.find<Stripe.BalanceTransaction>("balance_transaction", id) ?? notFound("balance_transaction", id),
  );
  route("get", "/events", server, ({ fields }) => {
    const type = textOf(fields, "type");
    return listPage(
      store.list<Stripe.EventBase>("event").filter((one) => !type || one.type === type),
      fields,
      "/v1/events",
    );
  });
  route("get", "/events/:id", server, ({ id }) => store.find<Stripe.EventBase>("event", id) ?? notFound("event", id));

  route("post", "/elements/sessions", both, ({ fields }) => elementsSession(cards, fields));

  api.all("*", (context) =>
    answer(context, cards, both, () => {
      throw new CardsError(404, {
        type: "invalid_request_error",
        message: `Unrecognized request URL (${context.req.method}: ${context.req.path}).`,
      });
    }),
  );
  return api;
}

function notFound(what: string, id: string): never {
  throw missing(what, id);
}

/** Requires a browser to have the intent's secret. */
function ownIntent(cards: Cards, call: Call): Stripe.PaymentIntent {
  const intent = findIntent(cards, call.id);
  if (call.caller === "browser" && textOf(call.fields, "client_secret") !== intent.client_secret) {
    throw invalidRequest(
      "The client_secret provided does not match any associated PaymentIntent on this account.",
      "client_secret",
      "payment_intent_invalid_parameter",
    );
  }
  return intent;
}

/** Allows a browser to detach a card only with a session that permits it, and only of the session's customer. */
function mayRemove(cards: Cards, call: Call): void {
  const access = accessBy(cards, textOf(call.fields, "customer_session_client_secret") ?? "");
  const allowed =
    access.features?.payment_method_remove === "enabled" &&
    findPaymentMethod(cards, call.id).customer === access.customer;
  if (!allowed) throw invalidRequest("This customer session does not allow removing the payment method.");
}

async function answer(
  context: Context,
  cards: Cards,
  callers: readonly Caller[],
  operation: Operation,
): Promise<Response> {
  const text = context.req.method === "GET" ? new URL(context.req.url).search.slice(1) : await context.req.text();
  const key = context.req.method === "POST" ? (context.req.header("idempotency-key") ?? null) : null;
  const note: RequestNote = {
    id: `req_${randomText(14)}`,
    idempotencyKey: key,
    origin: new URL(context.req.url).origin,
  };
  context.header("Request-Id", note.id);
  context.header("Stripe-Version", context.req.header("stripe-version") ?? "2026-10-28.endive");
  context.header("Cache-Control", "no-cache, no-store");
  const request = `${context.req.method} ${context.req.path}\n${text}`;
  // One transaction for the change, its events and the stored response, so that an idempotency key never acts twice.
  const { status, body } = cards.store.atOnce(() => {
    try {
      const fields = readForm(text);
      const caller = callerOf(context, cards, fields);
      if (!callers.includes(caller))
        throw new CardsError(403, {
          type: "invalid_request_error",
          code: "secret_key_required",
          message: "This API call cannot be made with a publishable API key. Please use a secret API key.",
        });
      const before = key ? answeredBefore(cards, key, request) : undefined;
      if (before) {
        context.header("Idempotent-Replayed", "true");
        return before;
      }
      const done = attempt(() =>
        expand(
          cards.store,
          operation({
            id: context.req.param("id") ?? "",
            fields,
            note,
            caller,
            version: context.req.header("stripe-version"),
          }),
          listOf(fields, "expand"),
        ),
      );
      if (key) keepAnswer(cards, key, request, done);
      return done;
    } catch (error) {
      if (error instanceof CardsError) return errorAnswer(error);
      throw error;
    }
  });
  return context.body(body, status as 200, { "Content-Type": "application/json" });
}

/** An error is a response too, and changes made before it are kept. */
function attempt(operation: () => object): { status: number; body: string } {
  try {
    return { status: 200, body: JSON.stringify(operation(), null, 2) };
  } catch (error) {
    if (error instanceof CardsError) return errorAnswer(error);
    throw error;
  }
}

function errorAnswer(error: CardsError): { status: number; body: string } {
  return { status: error.status, body: JSON.stringify({ error: error.body }, null, 2) };
}

function callerOf(context: Context, cards: Cards, fields: Fields): Caller {
  const header = context.req.header("authorization") ?? "";
  const basic = /^Basic (.+)$/i.exec(header)?.[1];
  const key =
    /^Bearer (.+)$/i.exec(header)?.[1] ??
    (basic ? Buffer.from(basic, "base64").toString("utf8").replace(/:.*$/, "") : textOf(fields, "key"));
  if (key === cards.keys.secret) return "server";
  if (key === cards.keys.publishable) return "browser";
  if (!key)
    throw new CardsError(401, {
      type: "invalid_request_error",
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.",
    });
  throw new CardsError(401, {
    type: "invalid_request_error",
    message: `Invalid API Key provided: ${key.slice(0, 8)}****`,
  });
}
