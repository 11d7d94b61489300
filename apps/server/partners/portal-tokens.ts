import type { SignedInMember } from "@farthing/site/server/visit.ts";
import { keepHousePartner, mintHouseToken } from "@farthing/core/partners/house-partner.server.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { isForeignPost } from "../http/foreign-posts.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed, problems } from "../http/problems.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";
import { createAllowances } from "../pages/allowances.ts";

export interface PortalTokenServices {
  db: Db;
  brands: BrandLookup;
  accounts: { memberOf(brand: Brand, cookie: string | undefined): Promise<SignedInMember | null> };
  config: OriginOptions;
  /** Key that signs the tokens. */
  tokenKey: string;
  /** Returns the origin of a brand's host in this deployment. */
  originOf(host: string): string;
  now(): Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** Loads of the gift-card page from one address: several people share one, and a token that is not used costs a row. */
const ALLOWANCE = { burst: 60, perSecond: 2 };

/**
 * POST /api/portal/token: a token with which this site's own gift-card page opens the portal (G1, decision 041), as a
 * partner's server would mint one. It names the member who is signed in; only pages of the same origin may ask, and the
 * answer is kept nowhere.
 */
export function portalTokens(services: PortalTokenServices): Hono<AppEnv> {
  const { brands, accounts, config, clock } = services;
  const allowances = createAllowances({ ...ALLOWANCE, ...(clock && { now: clock }) });
  return new Hono<AppEnv>()
    .post("/api/portal/token", async (context) => {
      const origin = requestOrigin(incomingOf(context), config);
      const brand = origin === null ? null : await brands(hostnameOf(origin));
      if (origin === null || !brand) return problemResponse(problems.unknownHost);
      if (!isFromOwnPage(context, origin)) return problemResponse(foreign);
      if (!brand.features.giftCards) return problemResponse(notSold);
      const seconds = allowances.take(context.get("clientAddress"));
      if (seconds > 0) return problemResponse({ ...tooMany, headers: { "Retry-After": String(seconds) } });
      const member = await accounts.memberOf(brand, context.req.header("cookie"));
      const token = await mint(services, { origin, memberSessionId: member?.sessionId ?? null });
      return token === null ? problemResponse(notHere) : context.json({ token }, 200, { "Cache-Control": "no-store" });
    })
    .all("/api/portal/token", () => problemResponse(methodNotAllowed("POST")));
}

/** A brand's host that was added since the start is allowed when it is asked for first. */
async function mint(
  { db, tokenKey: signingKey, originOf, now }: PortalTokenServices,
  visit: { origin: string; memberSessionId: string | null },
): Promise<string | null> {
  const wanted = { ...visit, signingKey, now: now() };
  const token = await mintHouseToken(db, wanted);
  if (token !== null || visit.origin !== originOf(hostnameOf(visit.origin))) return token;
  await keepHousePartner(db, { originOf });
  return mintHouseToken(db, wanted);
}

/** Every current browser sends one of the two headers. Without both, a cookie is no proof (S1, CSRF). */
function isFromOwnPage({ req }: Context<AppEnv>, ownOrigin: string): boolean {
  const fetchSite = req.header("sec-fetch-site");
  const origin = req.header("origin");
  const isWitnessed = fetchSite !== undefined || origin !== undefined;
  return isWitnessed && !isForeignPost({ method: req.method, origin, fetchSite, ownOrigin });
}

const foreign: Problem = {
  status: 403,
  title: "Not sent from here",
  detail:
    "Only this site’s own gift-card page opens the portal in this way. Partners mint tokens at /api/partner/sessions.",
};
const notSold: Problem = { status: 404, title: "No gift cards", detail: "This club does not sell gift cards." };
const notHere: Problem = {
  status: 409,
  title: "Not at this address",
  detail: "Gift cards are sold at the club’s own address. Open the page there.",
};
const tooMany: Problem = {
  status: 429,
  title: "Too many requests",
  detail:
    "Your network opens the gift-card page more often than people do. Wait for the number of seconds in Retry-After.",
};
