/**
 * Sent with every answer (S1, OWASP ASVS 5.0 3.4). HSTS only where visitors come by https: over http browsers ignore it.
 * The content security policy of pages is worked out per page (pages/seal-page.ts); answers without one get `lockedDownPolicy`.
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

/** For whatever is not a page: should a browser render it all the same, it can do nothing. */
export const lockedDownPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
