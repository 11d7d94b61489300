/**
 * Sent with every answer (S1, OWASP ASVS 5.0 3.4). HSTS only where visitors come by https: over http browsers ignore it.
 * The content security policy of pages is worked out per page (pages/seal-page.ts); answers without one get `LOCKED_DOWN_POLICY`.
 */
export function securityHeaders(publicScheme: "http" | "https"): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    ...(publicScheme === "https" ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

/**
 * Of those, what a script, stylesheet, font or bitmap needs. The others speak to documents, which these never are (nosniff sees to that), and a page has
 * some fifty of them: on a phone's first view the difference is 20 kB.
 */
const forFiles = new Set(["X-Content-Type-Options", "Strict-Transport-Security"]);
const fileTypes = /^(text\/(javascript|css)|font\/|image\/(png|jpeg|webp|x-icon))/;

/** Whether an answer of this Content-Type is sent with this header. */
export function isSentWith(header: string, contentType: string | null): boolean {
  return forFiles.has(header) || contentType === null || !fileTypes.test(contentType);
}

/** For whatever is not a page: should a browser render it all the same, it can do nothing. */
export const LOCKED_DOWN_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
