import { isKeyInUse, mintToken, type MintOutcome } from "@farthing/core/partners/mint-token.server.ts";
import { mintSchema, type MintAnswer, type MintRequest } from "@farthing/core/partners/schema.ts";
import { paths } from "@farthing/core/paths.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed, problems } from "../http/problems.ts";
import { bearerOf } from "./widget-sessions.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";
import { partnerApiDocument } from "./partner-api-document.ts";
import { readJson } from "../http/read-json.ts";

export interface PartnerApiServices {
  db: Db;
  brands: BrandLookup;
  config: OriginOptions;
  /** Signs the tokens. */
  tokenKey: string;
  now(): Date;
}

/** A request consists of two short texts. */
const MAX_BYTES = 8 * 1024;

/**
 * The API for partners' servers (W10): POST /api/partner/sessions mints a token. Its description is
 * at /api/partner/openapi.json.
 */
export function partnerApi(services: PartnerApiServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/api/partner/openapi.json", (context) =>
      context.json(partnerApiDocument(), 200, {
        "Cache-Control": "public, max-age=300",
        "Access-Control-Allow-Origin": "*",
      }),
    )
    .post("/api/partner/sessions", (context) => openSession(context, services))
    .all("/api/partner/sessions", () => problemResponse(methodNotAllowed("POST")));
}

async function openSession(context: Context<AppEnv>, { db, brands, config, tokenKey, now }: PartnerApiServices) {
  const header = (name: string) => context.req.header(name);
  // Only browsers send this header. A key in a page is public.
  if (header("sec-fetch-site") !== undefined) return problemResponse(inBrowser);
  const apiKey = bearerOf(header("authorization"));
  if (apiKey === null) return problemResponse(unknownKey);
  const origin = requestOrigin(incomingOf(context), config);
  if (origin === null || !(await brands(hostnameOf(origin)))) return problemResponse(problems.unknownHost);
  const body = await readJson(context.req.raw, mintSchema, MAX_BYTES);
  // A key that is not in use comes first, whatever else is wrong.
  if (!body.ok) return problemResponse((await isKeyInUse(db, { apiKey })) ? body.problem : unknownKey);

  const { reference = null } = body.value;
  const minted = await mintToken(db, {
    apiKey,
    origin: body.value.origin,
    reference,
    signingKey: tokenKey,
    now: now(),
  });
  if (minted.outcome !== "minted") return problemResponse(refusal(minted, body.value));
  const answer: MintAnswer = {
    token: minted.token,
    expiresAt: minted.expiresAt.toISOString(),
    redirectUrl: frameAddress(origin, body.value.path ?? paths.pay, minted.token),
  };
  return context.json(answer, 201, { "Cache-Control": "no-store" });
}

/** The URL as the widget builds it (W2). */
function frameAddress(origin: string, path: string, token: string): string {
  return `${origin}/redirect?path=${encodeURIComponent(path)}&token=${encodeURIComponent(token)}`;
}

function refusal(minted: Exclude<MintOutcome, { outcome: "minted" }>, { origin }: MintRequest): Problem {
  switch (minted.outcome) {
    case "unknown-key":
      return unknownKey;
    case "suspended":
      return suspended;
    case "origin-not-allowed":
      return {
        status: 403,
        title: "Origin not allowed",
        detail: `${origin} is not one of your allowed origins. Send one that is, or ask us to add it.`,
      };
    case "slow-down":
      return {
        status: 429,
        title: "Too many tokens",
        detail: `You have used all tokens of this minute. Try again in ${minted.retryAfterSeconds} seconds.`,
        headers: { "Retry-After": String(minted.retryAfterSeconds) },
      };
  }
}

const unknownKey: Problem = {
  status: 401,
  title: "Unknown API key",
  detail: "Send your API key as: Authorization: Bearer fpk_… If you do, it has been revoked: ask us for another.",
  headers: { "WWW-Authenticate": 'Bearer realm="partners"' },
};
const suspended: Problem = {
  status: 403,
  title: "Partner suspended",
  detail: "Your account is suspended, so no tokens are issued. Contact us.",
};
const inBrowser: Problem = {
  status: 403,
  title: "Not from a browser",
  detail:
    "Call this from your server: visitors of your page can read an API key in it. If yours was in a page, ask us for another.",
};
