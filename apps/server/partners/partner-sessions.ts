import { mintTokenFor, type MintOutcome } from "@farthing/core/partners/mint-token.server.ts";
import { mintSchema, requestedPrice, type MintAnswer, type MintRequest } from "@farthing/core/partners/schema.ts";
import { findOrderPayment } from "@farthing/core/payments/order-payments.server.ts";
import { signToken } from "@farthing/core/partners/token.ts";
import { paths } from "@farthing/core/paths.ts";
import { mayBeFramed } from "@farthing/site/server/framing.ts";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { readJson } from "../http/read-json.ts";
import { idempotent } from "./idempotent.ts";
import { partnerCaller, type CallerServices } from "./partner-caller.ts";
import { alreadyPaid, partnerProblems, tooMany } from "./partner-problems.ts";

export interface MintingServices extends CallerServices {
  /** Signs the tokens. */
  tokenKey: string;
}

/** A request consists of a few short texts. */
const MAX_BYTES = 8 * 1024;

/** POST /api/partner/sessions: mints a token (W10). */
export async function openSession(context: Context<AppEnv>, services: MintingServices): Promise<Response> {
  const { db, tokenKey, now } = services;
  const called = await partnerCaller(context, services, { counts: false });
  if (!called.ok) return problemResponse(called.problem);
  const { caller, origin } = called;
  const body = await readJson(context.req.raw, mintSchema, MAX_BYTES);
  if (!body.ok) return problemResponse(body.problem);
  const { value } = body;
  if (value.path !== undefined && !mayBeFramed(value.path)) return problemResponse(neverFramed);
  return idempotent({
    db,
    caller,
    request: context.req.raw,
    value,
    isKeyRequired: false,
    now,
    run: async () => {
      const { origin: page, reference = null } = value;
      const price = requestedPrice(value);
      const mint = { caller, origin: page, reference, price, findOrderPayment, signingKey: tokenKey, now: now() };
      const minted = await mintTokenFor(db, mint);
      if (minted.outcome !== "minted") return { problem: refusal(minted, value) };
      const { id, isAgreed = false, isOnce = false } = minted.claims;
      return { status: 201, body: { sessionId: id, expiresAt: minted.expiresAt.toISOString(), isAgreed, isOnce } };
    },
    // The token is not stored, but signed again for each answer.
    complete: (stored): MintAnswer => {
      const { sessionId, expiresAt, ...kind } = stored as StoredMint;
      const { partnerId } = caller;
      const claims = { id: sessionId, partnerId, origin: value.origin, expiresAt: new Date(expiresAt), ...kind };
      const token = signToken(tokenKey, claims);
      return { sessionId, token, expiresAt, redirectUrl: frameAddress(origin, value.path ?? paths.pay, token) };
    },
  });
}

/** What is kept of an answer, from which the token is signed again; an older version has kept no `isOnce`. */
interface StoredMint {
  sessionId: string;
  expiresAt: string;
  isAgreed: boolean;
  isOnce?: boolean;
}

const neverFramed: Problem = {
  status: 422,
  title: "Not as described",
  detail: "Correct the fields below and send it again.",
  errors: [
    {
      field: "path",
      message:
        'No frame may show this page. Give one that a frame can show, such as "/pay", "/portal" or "/retailers".',
    },
  ],
};

/** The URL as the widget builds it (W2). */
function frameAddress(origin: string, path: string, token: string): string {
  return `${origin}/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`;
}

function refusal(minted: Exclude<MintOutcome, { outcome: "minted" }>, { origin }: MintRequest): Problem {
  switch (minted.outcome) {
    case "unknown-key":
      return partnerProblems.unknownKey;
    case "suspended":
      return partnerProblems.suspended;
    case "origin-not-allowed":
      return {
        status: 403,
        title: "Origin not allowed",
        detail: `${origin} is not one of your allowed origins. Send one that is, or ask us to add it.`,
      };
    case "slow-down":
      return tooMany("tokens", minted.retryAfterSeconds);
    case "already-paid":
      return alreadyPaid(minted.payment);
  }
}
