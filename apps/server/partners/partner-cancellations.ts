import { cancelFaultKinds, tryToCancel, type CancelFault } from "@farthing/core/payments/cancel-payment.server.ts";
import { expireSession } from "@farthing/core/payments/expire-session.server.ts";
import { findPartnerPayment, listPartnerPayments } from "@farthing/core/payments/list-payments.server.ts";
import type { ExpiredSessionAnswer } from "@farthing/core/payments/partner-schema.ts";
import type { ApiCaller } from "@farthing/core/partners/find-api-key.server.ts";
import { nothingSchema } from "@farthing/core/partners/webhooks-schema.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import type { Logger } from "../monitoring/logger.ts";
import { answerPost } from "./answer-post.ts";
import type { Answer } from "./idempotent.ts";
import { paymentAnswer, type PartnerPaymentServices } from "./partner-payments.ts";
import { notCancellable, partnerProblems } from "./partner-problems.ts";

/** More than a session can have. */
const MAX_PAYMENTS = 100;

/** Routes by which a partner's server cancels an unpaid payment, or ends a session and cancels its payments (W10). */
export function partnerCancellations(services: PartnerPaymentServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post("/api/partner/payments/:id/cancel", (context) => cancel(context, services, context.req.param("id")))
    .all("/api/partner/payments/:id/cancel", () => problemResponse(methodNotAllowed("POST")))
    .post("/api/partner/sessions/:id/expire", (context) => expire(context, services, context.req.param("id")))
    .all("/api/partner/sessions/:id/expire", () => problemResponse(methodNotAllowed("POST")));
}

async function cancel(context: Context<AppEnv>, services: PartnerPaymentServices, publicId: string): Promise<Response> {
  const { db, cards, logger, now } = services;
  const run = async (owner: ApiCaller): Promise<Answer> => {
    const done = await tryToCancel(db, cards, { publicId, owner, now: now() });
    if (done.outcome === "not-cancelled")
      return { problem: problemOf([done.fault], logger, { requestId: context.get("requestId") }) };
    if (done.outcome === "paid" || done.outcome === "processing") return { problem: notCancellable(done.payment) };
    const payment = await findPartnerPayment(db, { owner, publicId });
    return payment ? { status: 200, body: paymentAnswer(payment) } : { problem: partnerProblems.noSuchPayment };
  };
  return answerPost(context, services, { schema: nothingSchema, run });
}

async function expire(context: Context<AppEnv>, services: PartnerPaymentServices, id: string): Promise<Response> {
  const { db, cards, logger, now } = services;
  const run = async (owner: ApiCaller): Promise<Answer> => {
    const done = isUuid(id) ? await expireSession(db, cards, { id, owner, now: now() }) : null;
    if (!done || done.outcome === "no-such-session") return { problem: partnerProblems.noSuchSession };
    if (done.outcome === "not-all-cancelled")
      return { problem: problemOf(done.faults, logger, { requestId: context.get("requestId"), session: id }) };
    const page = await listPartnerPayments(db, { owner, filter: { sessionId: id }, cursor: null, max: MAX_PAYMENTS });
    const answer: ExpiredSessionAnswer = {
      sessionId: id,
      state: "expired",
      payments: page?.payments.map(paymentAnswer) ?? [],
    };
    return { status: 200, body: answer };
  };
  return answerPost(context, services, { schema: nothingSchema, run });
}

const problems: Record<CancelFault["kind"], Problem> = {
  contradiction: partnerProblems.needsAPerson,
  refused: partnerProblems.cancelRefused,
  "no-account": partnerProblems.noPayments,
  away: partnerProblems.notCancelledYet,
  open: partnerProblems.stillOpen,
};

/** Logs why payments may still be paid. Returns the problem of the one that a repetition helps least. */
function problemOf(
  faults: readonly CancelFault[],
  logger: Logger,
  about: { requestId: string; session?: string },
): Problem {
  for (const { publicId, kind, why, error } of faults) {
    const isForAPerson = kind === "contradiction" || kind === "refused";
    const details = { ...about, payment: publicId, kind, ...(why ? { why } : {}), ...(error ? { err: error } : {}) };
    logger[isForAPerson ? "error" : "warn"](details, "a payment could not be cancelled");
  }
  const gravest = cancelFaultKinds.find((kind) => faults.some((fault) => fault.kind === kind)) ?? "open";
  return problems[gravest];
}
