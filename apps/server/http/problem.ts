/** An error as APIs answer it (RFC 9457, product.md Z5). `detail` says what the caller can do; it never carries internals. */
export interface Problem {
  status: number;
  title: string;
  detail?: string;
  headers?: Record<string, string>;
  /** Which parts of what was sent are wrong, and how (an extension member, RFC 9457 section 3.2). */
  errors?: { field: string; message: string }[];
}

export function problemResponse({ status, title, detail, headers, errors }: Problem): Response {
  return Response.json(
    { type: "about:blank", title, status, ...(detail === undefined ? {} : { detail }), ...(errors ? { errors } : {}) },
    { status, headers: { ...headers, "Content-Type": "application/problem+json", "Cache-Control": "no-store" } },
  );
}

/** Whether a path is called by programs, which want problem+json, rather than looked at by people, who want a page. */
export function isForPrograms(path: string): boolean {
  return (
    path.startsWith("/api/") ||
    path.startsWith("/webhooks/") ||
    path === "/healthz" ||
    path === "/readyz" ||
    path === "/metrics"
  );
}
