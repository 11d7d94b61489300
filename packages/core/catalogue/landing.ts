/** Where a link to a retailer may lead (C1). Pure. */
import type { DealLink, OfferKind } from "./catalogue-view.ts";

/**
 * Returns whether members may be redirected to a landing page: http or https, without user information, on one of the programme's domains or its
 * subdomains. A network follows any landing page it is given, so this check keeps the club from being an open redirect.
 */
export function isLandingAllowed(landingUrl: string, validDomains: readonly string[]): boolean {
  if (!URL.canParse(landingUrl)) return false;
  const { protocol, hostname, username, password } = new URL(landingUrl);
  if (!/^https?:$/.test(protocol) || username || password) return false;
  return validDomains.some((domain) => {
    const wanted = domain
      .toLowerCase()
      .replace(/^(\*\.|\.)/, "")
      .replace(/^www\./, "");
    return wanted !== "" && (hostname === wanted || hostname.endsWith(`.${wanted}`));
  });
}

interface LandingRules {
  landingUrl: string;
  validDomains: readonly string[];
}

/** Returns the domains that a programme's links may lead to. One that names none is taken to own the host of its landing page. */
export function landingDomains({ landingUrl, validDomains }: LandingRules): readonly string[] {
  if (validDomains.length > 0) return validDomains;
  return URL.canParse(landingUrl) ? [new URL(landingUrl).hostname] : [];
}

/** Returns the first candidate that is allowed, else the programme's landing page, else null. */
export function chooseLanding(candidates: readonly (string | null)[], programme: LandingRules): string | null {
  const domains = landingDomains(programme);
  return (
    [...candidates, programme.landingUrl].find(
      (url): url is string => url !== null && isLandingAllowed(url, domains),
    ) ?? null
  );
}

export interface Linked {
  /** Null: the link of the retailer itself. */
  kind: OfferKind | null;
  /** Where the link would lead, the best first. */
  candidates: readonly (string | null)[];
  /** The joined programme that builds the link, or null without one. */
  programme: LandingRules | null;
  /** Whether the addresses are an operator's, and not a network's. */
  isClubsOwn: boolean;
  homepageUrl: string;
}

/** Kinds of offer that are redeemed elsewhere than on the retailer's site. */
export const NEVER_LINKED: ReadonlySet<OfferKind> = new Set<OfferKind>(["in_store", "app_exclusive"]);

/**
 * Returns how a deal link leads to the shop, and where; null where it can't be followed. Deal links and the pages that show them use this one rule.
 * Without a joined programme the visit earns nothing, so that only an offer that is worth something without cashback has a link then. It leads where
 * the operator said; an address from a network, only to the host of the retailer's homepage.
 */
export function chooseDealLink({
  kind,
  candidates,
  programme,
  isClubsOwn,
  homepageUrl,
}: Linked): { as: DealLink; landingUrl: string } | null {
  if (kind !== null && NEVER_LINKED.has(kind)) return null;
  if (programme) {
    const landingUrl = chooseLanding(candidates, programme);
    return landingUrl === null ? null : { as: "tracked", landingUrl };
  }
  if (kind === null || kind === "cashback") return null;
  const typed = isClubsOwn ? candidates.find((url) => url !== null && isLandingAllowed(url, [hostOf(url)])) : null;
  const landingUrl = typed ?? chooseLanding(candidates, { landingUrl: homepageUrl, validDomains: [] });
  return landingUrl === null ? null : { as: "untracked", landingUrl };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
