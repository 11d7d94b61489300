import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { CardProviderRefusalError, CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { findPaymentOfSession } from "@farthing/core/payments/queries.server.ts";
import { startPaymentSchema, type StartedPaymentAnswer } from "@farthing/core/payments/schema.ts";
import { startPayment } from "@farthing/core/payments/start-payment.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Logger } from "../monitoring/logger.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import type { WidgetSessions } from "../partners/widget-sessions.ts";
import { incomingOf, type OriginOptions } from "../http/request-origin.ts";
import { frameCaller, noSession } from "./frame-caller.ts";
import { readJson } from "../http/read-json.ts";

export interface PaymentsApiServices {
  db: Db;
  cards: CardAccounts;
  sessions: Pick<WidgetSessions, "of">;
  config: OriginOptions;
  logger: Logger;
  now(): Date;
}

const MAX_BYTES = 8 * 1024;

/**
 * The API of the page in a partner's frame (W9). POST /api/payments creates a payment, or returns the one that was
 * created with the same key. GET /api/payments/:id returns its state, to the visitor who created it.
 */
export function paymentsApi(services: PaymentsApiServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post("/api/payments", (context) => start(context, services))
    .all("/api/payments", () => problemResponse(methodNotAllowed("POST")))
    .get("/api/payments/:id", (context) => show(context, services, context.req.param("id")))
    .all("/api/payments/:id", () => problemResponse(methodNotAllowed("GET, HEAD")));
}

async function start(context: Context<AppEnv>, services: PaymentsApiServices): Promise<Response> {
  const { db, cards, logger, now } = services;
  const caller = await callerOf(context, services);
  if (!caller.ok) return problemResponse(caller.problem);
  const account = cards[caller.session.mode];
  if (!account) return problemResponse(notSetUp);
  const body = await readJson(context.req.raw, startPaymentSchema, MAX_BYTES);
  if (!body.ok) return problemResponse(body.problem);
  try {
    const started = await startPayment(db, account, { session: caller.session, ...body.value, now: now() });
    if (started.outcome === "slow-down")
      return problemResponse({ ...tooOften, headers: { "Retry-After": String(started.seconds) } });
    if (started.outcome !== "started") return problemResponse(refusals[started.outcome]);
    const answer: StartedPaymentAnswer = {
      paymentId: started.publicId,
      clientSecret: started.clientSecret,
      ephemeralKey: started.customerSecret,
      customerId: started.customerId,
      paymentAmount: started.amountPence / 100, // On the wire only. The nearest double prints as the exact pounds and pence.
      contextToken: started.publicId,
    };
    return context.json(answer, 201, noStore);
  } catch (error) {
    if (error instanceof CardProviderRefusalError) {
      logger.error({ requestId: context.get("requestId"), err: error }, "the card provider refused a payment");
      return problemResponse(refused);
    }
    if (!(error instanceof CardProviderUnavailableError)) throw error;
    logger.warn({ requestId: context.get("requestId"), err: error }, "the card provider does not answer");
    return problemResponse(unavailable);
  }
}

async function show(context: Context<AppEnv>, services: PaymentsApiServices, publicId: string): Promise<Response> {
  const caller = await callerOf(context, services);
  if (!caller.ok) return problemResponse(caller.problem);
  const payment = await findPaymentOfSession(services.db, { publicId, widgetSessionId: caller.session.id });
  return payment ? context.json(payment, 200, noStore) : problemResponse(noSuchPayment);
}

function callerOf(context: Context<AppEnv>, services: PaymentsApiServices) {
  return frameCaller({ method: context.req.method, ...incomingOf(context) }, services);
}

const noStore = { "Cache-Control": "no-store" };

const refusals = {
  "key-taken": {
    status: 409,
    title: "Another payment",
    detail: "This idempotencyKey was used for another amount or reference. Create a new key for a new payment.",
  },
  "not-the-price": {
    status: 422,
    title: "Another price",
    detail: "The shop has fixed another amount or reference for this session. Reload the page around it.",
    errors: [{ field: "amountPence", message: "is not the price, or reference is not the shop's" }],
  },
  "already-paid": {
    status: 409,
    title: "Already paid",
    detail: "This session, or its order, has already been paid. Open a new session for another payment.",
  },
  "in-progress": {
    status: 423,
    title: "Being paid",
    detail:
      "Another payment of this order is being processed. Try again in a minute: by then it has been paid, or you can pay it.",
    headers: { "Retry-After": "60" },
  },
  cancelled: {
    status: 410,
    title: "Cancelled",
    detail: "This payment was cancelled, and nothing was taken. Create a new key for a new payment.",
  },
  "session-ended": noSession,
  "too-many": {
    status: 429,
    title: "Too many payments",
    detail: "No more payments can be started in this session. Reload the page around it.",
  },
} satisfies Record<string, Problem>;
const tooOften: Problem = {
  status: 429,
  title: "Too many requests",
  detail: "This session has repeated its payments very often. Wait for the number of seconds in Retry-After.",
};
const notSetUp: Problem = {
  status: 503,
  title: "Payments unavailable",
  detail: "Payments are not set up on this server.",
};
const unavailable: Problem = {
  status: 503,
  title: "Try again later",
  detail: "The card provider does not answer. Send the same request again in a moment: it makes no second payment.",
  headers: { "Retry-After": "5" },
};
const refused: Problem = {
  status: 503,
  title: "Payments unavailable",
  detail: "This payment can't be begun now. Reload the page around it, and tell the shop if it happens again.",
};
const noSuchPayment: Problem = {
  status: 404,
  title: "No such payment",
  detail: "This session has no payment with this id.",
};
