/** Longest path we follow; anything longer was not made by a partner in its right mind. */
const MAX_PATH_LENGTH = 2048;

// A name that can never be a real host: whatever resolves away from it was leaving our site.
const base = "http://frame-path.invalid";

/**
 * What /redirect may answer with for `path`, as the query held it after its one decoding: the same path, normalised, or null (product.md W9;
 * reference/widget.md, open redirect). One leading slash, visible ASCII without a backslash, no empty or dot segment that a lenient parser could
 * turn into another host, and nothing that a second decoding would.
 */
export function readFramePath(path: string | null): string | null {
  if (path === null || path.length > MAX_PATH_LENGTH || !isPlainPath(path)) return null;
  if (!isPlainPath(fullyDecoded(path))) return null;
  if (!URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  // "/.//evil.example" passes the first look and normalises to "//evil.example".
  if (url.origin !== base || url.pathname.startsWith("//")) return null;
  const plain = url.pathname + url.search + url.hash;
  // What stands after normalising must hold by itself: "/./%2f" becomes "/%2f", which is "//" to whoever decodes it.
  return plain === path ? plain : readFramePath(plain);
}

function isPlainPath(path: string): boolean {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) && !/^\/*[a-z][a-z0-9+.-]*:/i.test(path);
}

/** Decoded until nothing changes; a stray % or too many layers give "", which is no path. */
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
 * Whether `origin` is one that a partner may name (W10): https, or http on this machine, which is how shops are developed. Exactly as a browser writes
 * it, without a wildcard, a path or a final slash, and with nothing in it that would mean something in a header.
 */
export function isPartnerOrigin(origin: string): boolean {
  if (!/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, hostname, origin: normal } = new URL(origin);
  if (normal !== origin || !hostname.split(".").every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)))
    return false;
  return protocol === "https:" || hostname === "127.0.0.1" || /^([a-z0-9-]+\.)*localhost$/.test(hostname);
}
