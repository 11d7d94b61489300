import type { Context } from "hono";
import { html } from "hono/html";
import type { Programme } from "../catalogue/catalogue.ts";
import { plainPage } from "../pages/plain-page.ts";
import { remoteAddress } from "../pages/remote-address.ts";
import { recordClick } from "./clicks.ts";
import { isOpen, type Network } from "./network.ts";

const COOKIE_DAYS = 30;

/** A link of a network, read by its protocol. */
export interface FollowedLink {
  programmeId: number;
  /** What the vendor calls the programme's id in its links. */
  programmeField: string;
  publisherId: string | null;
  publisherField: string;
  clickRef: string | null;
  /** Further references, by the vendor's names in its report. */
  moreClickRefs?: Record<string, string>;
  campaign?: string | null;
  /** The page asked for; null: the programme's landing page. */
  wantedUrl: string | null;
}

/**
 * Records a click and redirects (302) to the advertiser's page with the click's checksum. The wanted page is used only if it is on one of the
 * advertiser's valid domains; anything else leads to the advertiser's landing page. The advertiser's shop is in this sandbox, so the redirect never leaves it.
 */
export function followClick(context: Context, network: Network, link: FollowedLink): Response | Promise<Response> {
  const programme = network.catalogue.programme(link.programmeId);
  if (!programme) {
    return context.html(
      plainPage(
        "No such advertiser",
        html`<p>The network has no advertiser with the id in this link's <code>${link.programmeField}</code>.</p>`,
      ),
      404,
    );
  }
  if (link.publisherId !== network.publisherId) {
    return context.html(
      plainPage(
        "No such publisher",
        html`<p>The network has no publisher with the id in this link's <code>${link.publisherField}</code>.</p>`,
      ),
      404,
    );
  }

  const wanted = link.wantedUrl;
  const allowed = wanted === null ? null : pageOnAdvertisersDomain(wanted, programme);
  const landing = allowed ?? landingPage(programme);
  const open = isOpen(programme);
  const notes = [
    wanted !== null && !allowed
      ? "The page asked for is not on the advertiser's domains; sent to the landing page."
      : "",
    open ? "" : `The programme is ${programme.status}; sent on without tracking.`,
  ];
  const click = recordClick(network, {
    advertiser_id: programme.id,
    click_ref: link.clickRef,
    more_click_refs: JSON.stringify(link.moreClickRefs ?? {}),
    campaign: link.campaign ?? null,
    wanted_url: wanted?.slice(0, 2000) ?? null,
    landing_url: landing.href,
    ip: remoteAddress(context),
    user_agent: context.req.header("user-agent")?.slice(0, 300) ?? null,
    referrer: context.req.header("referer")?.slice(0, 2000) ?? null,
    note: notes.filter(Boolean).join(" ") || null,
  });

  const shop = `/shops/${network.catalogue.shopSlug(programme)}`;
  const target = new URL(shop + landing.pathname, context.req.url);
  target.search = landing.search;
  context.header("Cache-Control", "no-store");
  if (open) {
    target.searchParams.set("awc", click.awc);
    context.header(
      "Set-Cookie",
      `awc=${click.awc}; Path=${shop}/; Max-Age=${COOKIE_DAYS * 86_400}; HttpOnly; SameSite=Lax`,
    );
  }
  return context.redirect(target.href, 302);
}

/** Returns the URL if it is http(s) and its host is one of the advertiser's domains or a subdomain; otherwise null. */
function pageOnAdvertisersDomain(text: string, programme: Programme): URL | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password) return null;
  return validHosts(programme).some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`)) ? url : null;
}

/** Returns the landing page. A programme's clickThroughUrl is often the network's own link; the landing page is then the front page. */
function landingPage(programme: Programme): URL {
  return pageOnAdvertisersDomain(programme.clickThroughUrl ?? "", programme) ?? new URL(programme.displayUrl);
}

function validHosts(programme: Programme): string[] {
  const listed = (programme.validDomains ?? []).map(
    ({ domain }) => URL.parse(domain.includes("//") ? domain : `https://${domain}`)?.hostname,
  );
  const own = URL.parse(programme.displayUrl)?.hostname.replace(/^www\./, "");
  return [own, ...listed].filter((host): host is string => Boolean(host));
}
