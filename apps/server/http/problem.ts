/** An error of an API (RFC 9457, Z5). `detail` says what the caller can do and never reveals internals. */
export interface Problem {
  /** Tells it apart from other problems of the same status, for programs: `already-paid`. Without one, the status says it all. */
  type?: string;
  status: number;
  title: string;
  detail?: string;
  headers?: Record<string, string>;
  /** Which fields are wrong, and how (an extension member, RFC 9457 section 3.2). */
  errors?: { field: string; message: string }[];
  /** More extension members: what the problem is about. */
  about?: Readonly<Record<string, string>>;
}

/** An answer that is there as a whole. `body` is empty where there is none. */
export interface WholeAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Returns the problem as application/problem+json, never cached. */
export function problemAnswer({
  type = "about:blank",
  status,
  title,
  detail,
  headers,
  errors,
  about,
}: Problem): WholeAnswer {
  return {
    status,
    headers: { ...headers, "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
    body: JSON.stringify({
      ...{ type, title, status },
      ...(detail === undefined ? {} : { detail }),
      ...(errors ? { errors } : {}),
      ...about,
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
