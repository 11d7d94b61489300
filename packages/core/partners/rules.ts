/** Maximum length of a path; partners have no reason for longer ones. */
const MAX_PATH_LENGTH = 2048;

// RFC 2606 reserves .invalid, so a path that resolves to another origin would have left the site.
const BASE = "http://frame-path.invalid";

/**
 * Returns the normalised `path` that /redirect may open, or null; `path` is decoded once, as the query held it (W9,
 * open redirects). It has one leading slash, visible ASCII without a backslash, no empty or dot segment that a lenient
 * parser could read as another host, and nothing that a second decoding would change.
 */
export function readFramePath(path: string | null): string | null {
  if (path === null || path.length > MAX_PATH_LENGTH || !isPlainPath(path)) return null;
  if (!isPlainPath(fullyDecoded(path))) return null;
  if (!URL.canParse(path, BASE)) return null;
  const url = new URL(path, BASE);
  // "/.//evil.example" passes the check above and normalises to "//evil.example".
  if (url.origin !== BASE || url.pathname.startsWith("//")) return null;
  const plain = url.pathname + url.search + url.hash;
  // The normalised path must pass the same checks: "/./%2f" becomes "/%2f", which a second decoding turns into "//".
  return plain === path ? plain : readFramePath(plain);
}

function isPlainPath(path: string): boolean {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) && !/^\/*[a-z][a-z0-9+.-]*:/i.test(path);
}

/** Decodes a path until nothing changes; returns "" for a stray % or too many layers, which is no path. */
function fullyDecoded(path: string): string {
  let current = path.split(/[?#]/, 1)[0] ?? "";
  for (let layer = 0; layer < 5; layer += 1) {
    try {
      const decoded = decodeURIComponent(current);
      if (decoded === current) return current;
      current = decoded;
    } catch {
      return "";
    }
  }
  return "";
}

/** Returns a path as the router compares it: decoded, in lower case, without a query and without repeated slashes. */
export function pathAsRouted(path: string): string {
  return `/${fullyDecoded(path)}`.replaceAll(/\/+/g, "/").toLowerCase();
}

/**
 * Returns whether a partner may name `origin` (W10): https, or http on this machine for development. It must be
 * written as browsers write it, without a wildcard, a path or a final slash, and without characters that have a
 * meaning in a header.
 */
export function isPartnerOrigin(origin: string): boolean {
  if (!/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, hostname, origin: normal } = new URL(origin);
  if (normal !== origin || !hostname.split(".").every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)))
    return false;
  return protocol === "https:" || hostname === "127.0.0.1" || /^([a-z0-9-]+\.)*localhost$/.test(hostname);
}
