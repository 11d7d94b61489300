/** What makes a click (product.md C1). Pure; random values come from the platform's own generator. */

/** Crockford's base 32: no I, L, O or U, so a number read aloud or off paper is typed right. */
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const pool = new Uint8Array(4_096);
let used = pool.length;

/** Fresh random bytes, drawn from the generator a few hundred clicks at a time. No byte is given out twice. */
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

/** What the network carries and gives back: 128 random bits as 22 characters of A–Z, a–z, 0–9, - and _. Says nothing about anyone. */
export function newReference(): string {
  const bytes = randomBytes(16);
  return btoa(String.fromCharCode(...bytes))
    .slice(0, 22)
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** What the member quotes: 60 random bits as `7K3M-9QX2-4TVB`. Not the reference: knowing one gives nothing of the other. */
export function newClickNumber(): string {
  const letters = [...randomBytes(12)].map((byte) => CROCKFORD[byte & 31]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/**
 * Whether a landing address may be redirected to: http or https, without user information, on one of the programme's domains or below
 * one. A network follows any `ued`, so this is what keeps the club from being an open redirect.
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
 * The first of the candidates that may be landed on, else null. A programme that names no domains is taken to own the host of its own
 * landing page.
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
