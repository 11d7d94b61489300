/** Longest `next` we follow; anything longer was not made by our own pages. */
const MAX_PATH_LENGTH = 2048;

// A name that can never be a real host: whatever resolves away from it was leaving our site.
const base = "http://next-path.invalid";

/**
 * Where a person goes after logging in: a path of ours, or `fallback` where `next` is anything else (ASVS 5.0 1.2.2, open redirects).
 *
 * Takes the raw `next` of a query or form, gives a normalised path with its query and fragment. Browsers strip tabs and line breaks and read a
 * backslash as a slash before they resolve an address, so `/\evil.example` and `/<tab>/evil.example` leave the site although they look like paths.
 * The sign-in pages themselves are refused too: they would send the person round in circles.
 */
export function safeNext(next: unknown, fallback = "/"): string {
  if (typeof next !== "string" || next.length > MAX_PATH_LENGTH) return fallback;
  // Only visible ASCII: control characters and spaces are stripped by URL parsers, others come percent-encoded from our pages.
  if (!/^\/[\x21-\x5b\x5d-\x7e]*$/.test(next)) return fallback;
  if (next.startsWith("//") || !URL.canParse(next, base)) return fallback;
  const url = new URL(next, base);
  // "/.//evil.example" passes the first look and normalises to "//evil.example".
  if (url.origin !== base || url.pathname.startsWith("//")) return fallback;
  if (/^\/(login|logout)(\/|$)/.test(url.pathname)) return fallback;
  return url.pathname + url.search + url.hash;
}
