import {
  ClickRecorderBusyError,
  type ClickRecorder,
  type NewClick,
} from "@farthing/core/clicks/click-recorder.server.ts";
import { hasApp } from "@farthing/core/brands/brand.ts";
import { storeLinkFor } from "@farthing/core/brands/store-links.ts";
import { PRE_FLIGHT_PARAMETER, preFlightSchema } from "@farthing/core/clicks/pre-flight.ts";
import { createClickTargets } from "@farthing/core/clicks/click-targets.server.ts";
import type { ClickTarget, ClickTargetFinding } from "@farthing/core/clicks/queries.server.ts";
import { takeRateSnapshot } from "@farthing/core/clicks/rate-snapshot.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { NetworkProvider } from "@farthing/core/networks/provider.ts";
import { paths, withNext } from "@farthing/core/paths.ts";
import type { Db } from "@farthing/db/client.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import { Hono, type Context } from "hono";
import { requestPurpose } from "./navigation.ts";

export interface GoServices {
  db: Db;
  clicks: ClickRecorder;
  networks: NetworkRegistry;
  now(): Date;
}

export interface GoEnv {
  Variables: { visit: Visit };
}

type GoContext = Context<GoEnv>;

/** Has the shape of a click's reference and belongs to none. */
const NO_CLICK = "0".repeat(22);

/**
 * The deal links (C1): GET /go/offers/:publicId?offer_variant= and GET /go/retailers/:slug. A member's click is
 * committed before the redirect is sent, so every redirect to a network has a row in `clicks`. An offer that is at
 * no network leads to the shop without one. Reads the visit from `context.get("visit")`.
 */
export function goRoutes(services: GoServices): Hono<GoEnv> {
  const app = new Hono<GoEnv>();
  const targets = createClickTargets({ db: services.db });

  const toOffer = (context: Context<GoEnv, "/:publicId">): Link => ({
    find: (brandId, now) =>
      targets.ofOffer({
        brandId,
        publicId: context.req.param("publicId"),
        variantPublicId: context.req.query("offer_variant") || null,
        now,
      }),
    pageOf: (slug) => paths.offer({ slug: slug ?? "unknown", publicId: context.req.param("publicId") }),
  });
  const toRetailer = (context: Context<GoEnv, "/:slug">): Link => ({
    find: (brandId, now) => targets.ofRetailer({ brandId, slug: context.req.param("slug"), now }),
    pageOf: () => paths.retailer(context.req.param("slug")),
  });

  app.get("/go/offers/:publicId", (context) => follow(context, services, toOffer(context)));
  app.get("/go/offers/:publicId/pre-flight", (context) => answerPreFlight(context, services, toOffer(context)));
  app.get("/go/retailers/:slug", (context) => follow(context, services, toRetailer(context)));
  app.get("/go/retailers/:slug/pre-flight", (context) => answerPreFlight(context, services, toRetailer(context)));
  app.get("/go/app/:publicId", toAppStore);
  return app;
}

/**
 * Answers the app-exclusive button (O5): phones go to their store, other browsers back to the offer's page, which shows
 * both links and a QR code of this URL. No click is recorded, because nobody goes to a retailer. The answer depends on
 * the browser.
 */
function toAppStore(context: GoContext): Response {
  const { brand } = context.get("visit");
  const link = hasApp(brand) ? storeLinkFor(brand.storeLinks, context.req.header("user-agent")) : null;
  const page = `${paths.offer({ slug: "app", publicId: context.req.param("publicId") ?? "" })}#app-links`;
  return answer(302, { location: link ?? page, vary: "User-Agent" });
}

interface Link {
  find(brandId: string, now: Date): Promise<ClickTargetFinding>;
  /** Returns the page that describes the target, also when it is unknown or has ended. */
  pageOf(slug: string | null): string;
}

async function follow(context: GoContext, services: GoServices, link: Link): Promise<Response> {
  const visit = context.get("visit");
  // Hono answers HEAD from GET. HEAD confirms the link without recording a click.
  if (context.req.method !== "GET") return answer(204);
  const purpose = requestPurpose(context.req.raw.headers);
  if (purpose === "prefetch") return answer(503); // the browser asks again if the person navigates
  if (purpose === "embedded") return answer(403);
  if (!visit.member) return redirect(withNext(paths.login, pathOf(context)));

  const now = services.now();
  const finding = await link.find(visit.brand.id, now);
  if (finding.outcome === "untracked") return redirect(finding.landingUrl);
  if (finding.outcome !== "found") return redirect(link.pageOf(finding.outcome === "closed" ? finding.slug : null));
  const { target } = finding;
  const network = services.networks.get(target.networkSlug);
  // No adapter is configured for it, or the network has no link for the programme.
  if (!network || originOf(target, network) === null) return redirect(link.pageOf(target.slug));

  try {
    const click = await services.clicks.record(newClick(context, visit.member, target, now));
    return redirect(linkTo(target, network, click.reference));
  } catch (error) {
    if (error instanceof ClickRecorderBusyError) return answer(503, { "retry-after": "1" });
    throw error; // No click is recorded, so there is no redirect. The error page says to try again.
  }
}

function linkTo(target: ClickTarget, network: NetworkProvider, reference: string): string {
  const { networkProgrammeId, programmeLink, landingUrl } = target;
  return network.buildLink({ networkProgrammeId, programmeLink, landingUrl, reference });
}

/** By target, which is cached for a second: the clicks on a popular link share it. */
const origins = new WeakMap<ClickTarget, string | null>();

/** Returns the origin of a target's link; null where the network has no link for the programme. */
function originOf(target: ClickTarget, network: NetworkProvider): string | null {
  const known = origins.get(target);
  if (known !== undefined) return known;
  const origin = readOrigin(target, network);
  origins.set(target, origin);
  return origin;
}

function readOrigin(target: ClickTarget, network: NetworkProvider): string | null {
  try {
    return new URL(linkTo(target, network, NO_CLICK)).origin;
  } catch {
    return null; // the programme's own link is missing: an operator imports it again
  }
}

/**
 * Answers a page's pre-flight check with the origin that the deal link leads to, as `{"origin": "https://…"}`. The
 * origin is null where the link leads nowhere now, or to a host that pages may not ask (the network's `linkOrigins`).
 * Nothing is recorded.
 */
async function answerPreFlight(context: GoContext, services: GoServices, link: Link): Promise<Response> {
  const finding = await link.find(context.get("visit").brand.id, services.now());
  const target = finding.outcome === "found" ? finding.target : null;
  const network = target && services.networks.get(target.networkSlug);
  const origin = target && network ? originOf(target, network) : null;
  const isAskable = origin !== null && network?.linkOrigins.includes(origin) === true;
  return context.json({ origin: isAskable ? origin : null }, 200, { "cache-control": "no-store" });
}

function newClick(context: GoContext, member: SignedInMember, target: ClickTarget, now: Date): NewClick {
  return {
    brandId: context.get("visit").brand.id,
    memberId: member.id,
    retailerId: target.retailerId,
    programmeId: target.programmeId,
    networkId: target.networkId,
    offerId: target.offerId,
    offerVariantId: target.offerVariantId,
    targetUrl: target.landingUrl,
    rateSnapshot: takeRateSnapshot(target, now),
    termsHash: target.termsHash,
    terms: target.terms,
    preFlight: preFlightSchema.parse(context.req.query(PRE_FLIGHT_PARAMETER) ?? null),
    createdAt: now,
  };
}

function pathOf(context: GoContext): string {
  const { pathname, search } = new URL(context.req.url);
  return pathname + search;
}

function redirect(location: string): Response {
  return answer(302, { location });
}

/**
 * `no-store`, so that a second click is counted too. `strict-origin`, because networks check which site a click comes
 * from, and neither they nor the retailer need to know the page.
 */
function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "cache-control": "no-store", "referrer-policy": "strict-origin", ...headers },
  });
}
