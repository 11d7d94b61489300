import type { Config } from "../env.ts";

/** Hosts below a brand's are covered by its HSTS unless a setting says otherwise. */
export type HstsSettings = Pick<Config, "publicScheme"> & Partial<Pick<Config, "hstsSubdomains">>;

/**
 * Returns the headers of every answer (S1, OWASP ASVS 5.0 3.4). HSTS is sent over https only: browsers ignore
 * it over http. A page's content security policy is computed per page (pages/seal-page.ts); answers without one
 * get `LOCKED_DOWN_POLICY`.
 */
export function securityHeaders({ publicScheme, hstsSubdomains = true }: HstsSettings): Record<string, string> {
  const hsts = hstsSubdomains ? "max-age=31536000; includeSubDomains" : "max-age=31536000";
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    ...(publicScheme === "https" ? { "Strict-Transport-Security": hsts } : {}),
  };
}

/**
 * The headers that a script, stylesheet, font or bitmap needs. The others concern documents, which these never are
 * (nosniff ensures it). A page loads some fifty such files: on a phone's first view the difference is 20 kB.
 */
const forFiles = new Set(["X-Content-Type-Options", "Strict-Transport-Security"]);
const fileTypes = /^(text\/(javascript|css)|font\/|image\/(png|jpeg|webp|x-icon))/;

/** Returns whether an answer of this Content-Type carries this header. */
export function isSentWith(header: string, contentType: string | null): boolean {
  return forFiles.has(header) || contentType === null || !fileTypes.test(contentType);
}

/** The policy of every answer that is not a page: if a browser renders it anyway, it can do nothing. */
export const LOCKED_DOWN_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** The headers of every answer that a partner's frame shows (pages/frame-page.ts). */
export const FRAME_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;
