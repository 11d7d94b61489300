/** The ids of a click, and where it may lead (C1). Random values come from the platform's generator. */

/** Crockford's base 32 has no I, L, O or U, so that a number read aloud or copied from paper is typed correctly. */
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const pool = new Uint8Array(4_096);
let used = pool.length;

/** Returns random bytes, drawn from the generator for a few hundred clicks at a time. No byte is returned twice. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + count);
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}

/** Returns a reference for the network: 128 random bits as 22 characters of A–Z, a–z, 0–9, - and _. It contains nothing about the member. */
export function newReference(): string {
  const bytes = randomBytes(16);
  return btoa(String.fromCharCode(...bytes))
    .slice(0, 22)
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Returns a number for the member to quote: 60 random bits as `7K3M-9QX2-4TVB`. It cannot be derived from the reference, nor the reference from it. */
export function newClickNumber(): string {
  const letters = [...randomBytes(12)].map((byte) => CROCKFORD[byte & 31]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

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

/**
 * Returns the first candidate that is allowed, else the programme's landing page, else null. A programme without domains is taken to own the host of
 * its landing page.
 */
export function chooseLanding(
  candidates: readonly (string | null)[],
  programme: { landingUrl: string; validDomains: readonly string[] },
): string | null {
  const domains =
    programme.validDomains.length > 0
      ? programme.validDomains
      : URL.canParse(programme.landingUrl)
        ? [new URL(programme.landingUrl).hostname]
        : [];
  return (
    [...candidates, programme.landingUrl].find(
      (url): url is string => url !== null && isLandingAllowed(url, domains),
    ) ?? null
  );
}
