import { cancelPayment } from "@farthing/core/payments/cancel-payment.server.ts";
import { NoCardAccountError } from "@farthing/core/payments/card-accounts.ts";
import { expireSession, type CancelFault } from "@farthing/core/payments/expire-session.server.ts";
import { findPartnerPayment, listPartnerPayments } from "@farthing/core/payments/list-payments.server.ts";
import type { ExpiredSessionAnswer } from "@farthing/core/payments/partner-schema.ts";
import { CardProviderRefusalError, CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import type { ApiCaller } from "@farthing/core/partners/find-api-key.server.ts";
import { nothingSchema } from "@farthing/core/partners/webhooks-schema.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import { readOptionalJson } from "../http/read-json.ts";
import { idempotent, type Answer } from "./idempotent.ts";
import { partnerCaller } from "./partner-caller.ts";
import { paymentAnswer, type PartnerPaymentServices } from "./partner-payments.ts";
import { notCancellable, partnerProblems } from "./partner-problems.ts";

const MAX_BYTES = 8 * 1024;
/** More than a session can have. */
const MAX_PAYMENTS = 100;

/** What the partner's server gives up: a payment that is not paid, and a session with all of its payments (W10). */
export function partnerCancellations(services: PartnerPaymentServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post("/api/partner/payments/:id/cancel", (context) => {
      const id = context.req.param("id");
      return givingUp(context, services, `payment ${id}`, (caller) => cancel(services, caller, id));
    })
    .all("/api/partner/payments/:id/cancel", () => problemResponse(methodNotAllowed("POST")))
    .post("/api/partner/sessions/:id/expire", (context) => {
      const id = context.req.param("id");
      return givingUp(context, services, `session ${id}`, (caller) => expire(services, caller, id));
    })
    .all("/api/partner/sessions/:id/expire", () => problemResponse(methodNotAllowed("POST")));
}

async function cancel(
  { db, cards, logger, now }: PartnerPaymentServices,
  owner: ApiCaller,
  publicId: string,
): Promise<Answer> {
  const done = await cancelPayment(db, cards, { publicId, owner, now: now() });
  if (done.outcome === "contradiction") {
    logger.error({ payment: publicId, why: done.why }, "a payment could not be cancelled");
    return { problem: partnerProblems.needsAPerson };
  }
  if (done.outcome === "open") return { problem: partnerProblems.stillOpen };
  if (done.outcome === "paid" || done.outcome === "processing")
    return { problem: notCancellable(done.outcome, done.payment) };
  const payment = await findPartnerPayment(db, { owner, publicId });
  return payment ? { status: 200, body: paymentAnswer(payment) } : { problem: partnerProblems.noSuchPayment };
}

async function expire(
  { db, cards, logger, now }: PartnerPaymentServices,
  owner: ApiCaller,
  id: string,
): Promise<Answer> {
  const done = isUuid(id) ? await expireSession(db, cards, { id, owner, now: now() }) : null;
  if (!done || done.outcome === "no-such-session") return { problem: partnerProblems.noSuchSession };
  if (done.outcome === "not-all-cancelled") {
    for (const { publicId, kind, ...more } of done.faults) {
      const about = { session: id, payment: publicId, kind, ...("why" in more ? { why: more.why } : {}) };
      const text = "a payment of a session that was ended could not be cancelled";
      if (kind === "contradiction" || kind === "refused") logger.error({ ...about, ...errorOf(more) }, text);
      else logger.warn({ ...about, ...errorOf(more) }, text);
    }
    return { problem: gravest(done.faults) };
  }
  const page = await listPartnerPayments(db, { owner, filter: { sessionId: id }, cursor: null, max: MAX_PAYMENTS });
  const answer: ExpiredSessionAnswer = {
    sessionId: id,
    state: "expired",
    payments: page?.payments.map(paymentAnswer) ?? [],
  };
  return { status: 200, body: answer };
}

function errorOf(fault: object): { err?: unknown } {
  return "error" in fault ? { err: fault.error } : {};
}

/** Of several faults, the one that a repetition helps least. */
function gravest(faults: readonly CancelFault[]): Problem {
  const has = (kind: CancelFault["kind"]) => faults.some((fault) => fault.kind === kind);
  if (has("contradiction")) return partnerProblems.needsAPerson;
  if (has("refused")) return partnerProblems.cancelRefused;
  if (has("no-account")) return partnerProblems.noPayments;
  return has("away") ? partnerProblems.notCancelledYet : partnerProblems.stillOpen;
}

/** Runs a POST whose body is empty or {}, and which is safe to repeat. */
async function givingUp(
  context: Context<AppEnv>,
  services: PartnerPaymentServices,
  what: string,
  run: (caller: ApiCaller) => Promise<Answer>,
): Promise<Response> {
  const { db, logger, now } = services;
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const { caller } = called;
  const request = context.req.raw;
  const body = await readOptionalJson(request, nothingSchema, MAX_BYTES);
  if (!body.ok) return problemResponse(body.problem);
  const runOrExplain = async (): Promise<Answer> => {
    try {
      return await run(caller);
    } catch (error) {
      if (error instanceof NoCardAccountError) return { problem: partnerProblems.noPayments };
      const isRefusal = error instanceof CardProviderRefusalError;
      if (!isRefusal && !(error instanceof CardProviderUnavailableError)) throw error;
      const about = { requestId: context.get("requestId"), what, err: error };
      if (isRefusal) logger.error(about, "the card provider refused to cancel");
      else logger.warn(about, "the card provider does not answer to a cancellation");
      return { problem: isRefusal ? partnerProblems.cancelRefused : partnerProblems.notCancelledYet };
    }
  };
  return idempotent({ db, caller, request, value: {}, isKeyRequired: false, now, run: runOrExplain });
}
