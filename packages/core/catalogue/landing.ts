/** Where a link to a retailer may lead (C1). Pure. */

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
