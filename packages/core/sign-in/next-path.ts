/** Maximum length of `next`; our own pages make no longer ones. */
const MAX_PATH_LENGTH = 2048;

// RFC 2606 reserves .invalid, so a path that resolves to another origin would have left the site.
const BASE = "http://next-path.invalid";

/**
 * Returns the path that a person continues to after logging in: `next` if it is a path of ours, else `fallback` (ASVS
 * 5.0 1.2.2, open redirects).
 *
 * Takes the raw `next` of a query or form and returns a normalised path with its query and fragment. Browsers strip
 * tabs and line breaks and read a backslash as a slash before they resolve an address, so `/\evil.example` and
 * `/<tab>/evil.example` leave the site although they look like paths. The login pages are refused as well, because they
 * would redirect in a loop.
 */
export function safeNext(next: unknown, fallback = "/"): string {
  if (typeof next !== "string" || next.length > MAX_PATH_LENGTH) return fallback;
  // Only visible ASCII: URL parsers strip control characters and spaces, and our pages percent-encode everything else.
  if (!/^\/[\x21-\x5b\x5d-\x7e]*$/.test(next)) return fallback;
  if (next.startsWith("//") || !URL.canParse(next, BASE)) return fallback;
  const url = new URL(next, BASE);
  // "/.//evil.example" passes the check above and normalises to "//evil.example".
  if (url.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  if (/^\/(login|logout)(\/|$)/.test(url.pathname)) return fallback;
  return url.pathname + url.search + url.hash;
}
