/** An error of an API (RFC 9457, Z5). `detail` says what the caller can do and never reveals internals. */
export interface Problem {
  status: number;
  title: string;
  detail?: string;
  headers?: Record<string, string>;
  /** Which fields are wrong, and how (an extension member, RFC 9457 section 3.2). */
  errors?: { field: string; message: string }[];
}

/** An answer that is there as a whole. `body` is empty where there is none. */
export interface WholeAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Returns the problem as application/problem+json, never cached. */
export function problemAnswer({ status, title, detail, headers, errors }: Problem): WholeAnswer {
  return {
    status,
    headers: { ...headers, "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
    body: JSON.stringify({
      ...{ type: "about:blank", title, status },
      ...(detail === undefined ? {} : { detail }),
      ...(errors ? { errors } : {}),
    }),
  };
}

/** Returns the same as a Response. */
export function problemResponse(problem: Problem): Response {
  const { status, headers, body } = problemAnswer(problem);
  return new Response(body, { status, headers });
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
