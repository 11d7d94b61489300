import { NoCardAccountError, type CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import {
  findPartnerPayment,
  listPartnerPayments,
  type PartnerPayment,
} from "@farthing/core/payments/list-payments.server.ts";
import { listPartnerRefunds } from "@farthing/core/payments/list-refunds.server.ts";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { refundPayment, type RefundedPayment } from "@farthing/core/payments/refund-payment.server.ts";
import { PARTNER_REFUND_KEY } from "@farthing/core/payments/refund-rules.ts";
import type { ApiCaller } from "@farthing/core/partners/find-api-key.server.ts";
import {
  paymentListSchema,
  refundListSchema,
  refundSchema,
  type ListedRefund,
  type PaymentAnswer,
  type RefundAnswer,
} from "@farthing/core/payments/partner-schema.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import { readJson } from "../http/read-json.ts";
import { readQuery } from "../http/read-query.ts";
import type { Logger } from "../monitoring/logger.ts";
import { idempotent, type Answer } from "./idempotent.ts";
import { partnerCaller, type CallerServices } from "./partner-caller.ts";
import { partnerProblems } from "./partner-problems.ts";

export interface PartnerPaymentServices extends CallerServices {
  cards: CardAccounts;
  logger: Logger;
}

/** A refund is one number. */
const MAX_BYTES = 8 * 1024;

/** Payments for the partner's server: read, listed and refunded (W10). */
export function partnerPayments(services: PartnerPaymentServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/api/partner/payments", (context) => list(context, services))
    .all("/api/partner/payments", () => problemResponse(methodNotAllowed("GET, HEAD")))
    .get("/api/partner/payments/:id", (context) => show(context, services, context.req.param("id")))
    .all("/api/partner/payments/:id", () => problemResponse(methodNotAllowed("GET, HEAD")))
    .post("/api/partner/payments/:id/refunds", (context) => refund(context, services, context.req.param("id")))
    .get("/api/partner/payments/:id/refunds", (context) => listRefunds(context, services, context.req.param("id")))
    .all("/api/partner/payments/:id/refunds", () => problemResponse(methodNotAllowed("GET, HEAD, POST")));
}

async function list(context: Context<AppEnv>, services: PartnerPaymentServices): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const query = readQuery(context.req.raw, paymentListSchema);
  if (!query.ok) return problemResponse(query.problem);
  const { limit: max, cursor = null, createdFrom, createdBefore, ...filter } = query.value;
  const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const page = await listPartnerPayments(services.db, {
    owner: called.caller,
    filter: { ...filter, createdFrom: dateOf(createdFrom), createdBefore: dateOf(createdBefore) },
    cursor,
    max,
  });
  if (!page) return problemResponse(partnerProblems.badCursor);
  return context.json({ payments: page.payments.map(paymentAnswer), nextCursor: page.nextCursor }, 200, noStore);
}

async function show(context: Context<AppEnv>, services: PartnerPaymentServices, publicId: string): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const payment = await findPartnerPayment(services.db, { owner: called.caller, publicId });
  return payment ? context.json(paymentAnswer(payment), 200, noStore) : problemResponse(partnerProblems.noSuchPayment);
}

async function listRefunds(
  context: Context<AppEnv>,
  services: PartnerPaymentServices,
  publicId: string,
): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const query = readQuery(context.req.raw, refundListSchema);
  if (!query.ok) return problemResponse(query.problem);
  const { limit: max, cursor = null } = query.value;
  const page = await listPartnerRefunds(services.db, { owner: called.caller, publicId, cursor, max });
  if (page === "no-such-payment") return problemResponse(partnerProblems.noSuchPayment);
  if (page === "bad-cursor") return problemResponse(partnerProblems.badCursor);
  const refunds = page.refunds.map(({ createdAt, ...rest }): ListedRefund => ({
    ...rest,
    createdAt: createdAt.toISOString(),
  }));
  return context.json({ refunds, nextCursor: page.nextCursor }, 200, noStore);
}

async function refund(context: Context<AppEnv>, services: PartnerPaymentServices, publicId: string): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const { caller } = called;
  const body = await readJson(context.req.raw, refundSchema, MAX_BYTES);
  if (!body.ok) return problemResponse(body.problem);
  return idempotent({
    db: services.db,
    caller,
    request: context.req.raw,
    value: body.value,
    isKeyRequired: true,
    now: services.now,
    run: async (key) =>
      refundOnce(context, services, { caller, publicId, amountPence: body.value.amountPence ?? null, key: key ?? "" }),
  });
}

async function refundOnce(
  context: Context<AppEnv>,
  { db, cards, logger, now }: PartnerPaymentServices,
  wanted: { caller: ApiCaller; publicId: string; amountPence: number | null; key: string },
): Promise<Answer> {
  const { caller, publicId, amountPence, key } = wanted;
  const about = { requestId: context.get("requestId"), payment: publicId };
  try {
    const requestKey = `${PARTNER_REFUND_KEY}${key}`;
    const done = await refundPayment(db, cards, { publicId, amountPence, requestKey, owner: caller, now: now() });
    if (done.outcome === "contradiction" || done.outcome === "unsure" || done.outcome === "refused")
      logger.error({ ...about, outcome: done.outcome, ...("why" in done ? { why: done.why } : {}) }, "a refund failed");
    if (done.outcome !== "refunded") return { problem: refusal(done) };
    const payment = await findPartnerPayment(db, { owner: caller, publicId });
    if (!payment) return { problem: partnerProblems.noSuchPayment };
    const { id, askedAt } = done.refund;
    const answer: RefundAnswer = {
      id,
      amountPence: done.refund.amountPence,
      createdAt: askedAt.toISOString(),
      payment: paymentAnswer(payment),
    };
    return { status: 201, body: answer };
  } catch (error) {
    if (error instanceof NoCardAccountError) return { problem: partnerProblems.noPayments };
    if (!(error instanceof CardProviderUnavailableError)) throw error;
    logger.warn({ ...about, err: error }, "the card provider does not answer; a refund is finished later");
    return { problem: partnerProblems.providerAway };
  }
}

/** Returns a payment as the API answers it. */
export function paymentAnswer({ createdAt, changedAt, ...payment }: PartnerPayment): PaymentAnswer {
  return { ...payment, createdAt: createdAt.toISOString(), changedAt: changedAt.toISOString() };
}

function refusal(refused: Exclude<RefundedPayment, { outcome: "refunded" }>): Problem {
  switch (refused.outcome) {
    case "no-such-payment":
      return partnerProblems.noSuchPayment;
    case "not-paid":
      return {
        status: 422,
        title: "Not paid",
        detail: `The payment is ${refused.payment.state}, so there is nothing to refund. Wait for payment.paid.`,
      };
    case "not-an-amount":
    case "more-than-left": {
      const left = refused.payment.amountPence - refused.payment.refundedPence;
      return {
        status: 422,
        title: "More than is left",
        detail: `${left} pence of this payment can be refunded. Ask for at most that.`,
        errors: [{ field: "amountPence", message: `is at most ${left}` }],
      };
    }
    case "disputed":
      return {
        status: 422,
        title: "Disputed",
        detail:
          "The payer's bank has this money, or asks for it, so a refund would pay twice. Wait for payment.dispute_closed.",
      };
    case "already-refunded": // only without a key, which a partner's request always has
    case "key-taken":
      return partnerProblems.keyOfAnotherRequest;
    case "refunds-running":
      return {
        status: 409,
        title: "Refunds are running",
        detail: "Other refunds of this payment are running. Send the request again in a second.",
        headers: { "Retry-After": "1" },
      };
    case "refused":
      return {
        status: 422,
        title: "Refused by the card provider",
        detail:
          "The card provider refused this refund, and nothing was refunded. Read the payment, or ask us. To try it again, send another Idempotency-Key.",
      };
    case "unsure":
      return {
        status: 503,
        title: "No answer from the card provider yet",
        detail:
          "This refund was sent, and nobody knows yet whether it was made. It is decided 26 hours after the first request at the latest: send the request again with the same key then.",
        headers: { "Retry-After": "3600" },
      };
    case "contradiction":
      return {
        status: 500,
        title: "A person has to look at this",
        detail: "The refund was sent, and the card provider's answer does not match our books. We are looking into it.",
      };
  }
}

const noStore = { "Cache-Control": "no-store" };
