import { ClickRecorderBusyError, type ClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { storeLinkFor } from "@farthing/core/brands/store-links.ts";
import { createClickTargets } from "@farthing/core/clicks/click-targets.server.ts";
import type { ClickTarget, ClickTargetFinding } from "@farthing/core/clicks/queries.server.ts";
import { takeRateSnapshot } from "@farthing/core/clicks/rate-snapshot.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
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

/**
 * The deal links (product.md C1): GET /go/offers/:publicId?offer_variant= and GET /go/retailers/:slug. A member's click is committed
 * before the redirect leaves; whoever gets a Location of a network has a row in `clicks`. Reads the visit from `c.get("visit")`.
 */
export function goRoutes(services: GoServices): Hono<GoEnv> {
  const app = new Hono<GoEnv>();
  const targets = createClickTargets({ db: services.db });

  app.get("/go/offers/:publicId", (c) =>
    follow(c, services, {
      find: (brandId, now) =>
        targets.ofOffer({
          brandId,
          publicId: c.req.param("publicId"),
          variantPublicId: c.req.query("offer_variant") || null,
          now,
        }),
      pageOf: (slug) => paths.offer({ slug: slug ?? "unknown", publicId: c.req.param("publicId") }),
    }),
  );
  app.get("/go/retailers/:slug", (c) =>
    follow(c, services, {
      find: (brandId, now) => targets.ofRetailer({ brandId, slug: c.req.param("slug"), now }),
      pageOf: () => paths.retailer(c.req.param("slug")),
    }),
  );
  app.get("/go/app/:publicId", toAppStore);
  return app;
}

/**
 * Where the app-exclusive button leads (product.md O5): a phone to its store, anything else back to the offer's page, which has a QR code of this very
 * address and both links. Nobody has gone to a retailer, so there is no click; and the answer is for this browser alone.
 */
function toAppStore(c: GoContext): Response {
  const { features, storeLinks } = c.get("visit").brand;
  const link = features.appExclusive ? storeLinkFor(storeLinks, c.req.header("user-agent")) : null;
  const page = `${paths.offer({ slug: "app", publicId: c.req.param("publicId") ?? "" })}#app-links`;
  return answer(302, { location: link ?? page, vary: "User-Agent" });
}

interface Link {
  find(brandId: string, now: Date): Promise<ClickTargetFinding>;
  /** The page that explains what is linked to, also when it is unknown or over. */
  pageOf(slug: string | null): string;
}

async function follow(c: GoContext, services: GoServices, link: Link): Promise<Response> {
  const visit = c.get("visit");
  // Hono answers HEAD from GET. Nobody follows a HEAD: say that the link lives and record nothing.
  if (c.req.method !== "GET") return answer(204);
  const purpose = requestPurpose(c.req.raw.headers);
  if (purpose === "prefetch") return answer(503); // tells the browser to ask again if the person really goes
  if (purpose === "embedded") return answer(403);
  if (!visit.member) return redirect(withNext(paths.login, pathOf(c)));

  const now = services.now();
  const finding = await link.find(visit.brand.id, now);
  if (finding.outcome !== "found") return redirect(link.pageOf(finding.outcome === "closed" ? finding.slug : null));
  const { target } = finding;
  const network = services.networks.get(target.networkSlug);
  if (!network) return redirect(link.pageOf(target.slug)); // no adapter is configured for it

  try {
    const click = await services.clicks.record(newClick(visit.brand.id, visit.member, target, now));
    return redirect(
      network.buildLink({
        networkProgrammeId: target.networkProgrammeId,
        landingUrl: target.landingUrl,
        reference: click.reference,
      }),
    );
  } catch (error) {
    if (error instanceof ClickRecorderBusyError) return answer(503, { "retry-after": "1" });
    throw error; // not recorded, so not redirected: the server's error page says to try again
  }
}

function newClick(brandId: string, member: SignedInMember, target: ClickTarget, now: Date) {
  return {
    brandId,
    memberId: member.id,
    retailerId: target.retailerId,
    programmeId: target.programmeId,
    networkId: target.networkId,
    offerId: target.offerId,
    offerVariantId: target.offerVariantId,
    targetUrl: target.landingUrl,
    rateSnapshot: takeRateSnapshot(target, now),
    termsHash: target.termsHash,
    createdAt: now,
  };
}

function pathOf(c: GoContext): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

function redirect(location: string): Response {
  return answer(302, { location });
}

/**
 * Never stored, or a second click would go uncounted. `strict-origin`: networks check which site a click comes from, and neither they
 * nor the retailer need to know the page. Nothing is in the body to leak.
 */
function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "cache-control": "no-store", "referrer-policy": "strict-origin", ...headers },
  });
}
