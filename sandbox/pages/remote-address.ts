import type { Context } from "hono";

/** The caller's address where there is a socket; tests that call `fetch` have none. */
export function remoteAddress(c: Context): string | null {
  const bindings = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return bindings?.incoming?.socket?.remoteAddress ?? null;
}
