/** An error of an API (RFC 9457, Z5). `detail` says what the caller can do and never reveals internals. */
export interface Problem {
  status: number;
  title: string;
  detail?: string;
  headers?: Record<string, string>;
  /** Which fields are wrong, and how (an extension member, RFC 9457 section 3.2). */
  errors?: { field: string; message: string }[];
}

/** Returns the problem as application/problem+json, never cached. */
export function problemResponse({ status, title, detail, headers, errors }: Problem): Response {
  return Response.json(
    { type: "about:blank", title, status, ...(detail === undefined ? {} : { detail }), ...(errors ? { errors } : {}) },
    { status, headers: { ...headers, "Content-Type": "application/problem+json", "Cache-Control": "no-store" } },
  );
}

/** Returns whether programs call this path and get problem+json; people get a page. */
export function isForPrograms(path: string): boolean {
  return (
    path.startsWith("/api/") ||
    path.startsWith("/webhooks/") ||
    path === "/healthz" ||
    path === "/readyz" ||
    path === "/metrics"
  );
}
