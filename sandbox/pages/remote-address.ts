import type { Context } from "hono";

/** Returns the caller's address; undefined in tests that call `fetch` without a socket. */
export function remoteAddress(context: Context): string | null {
  const bindings = context.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return bindings?.incoming?.socket?.remoteAddress ?? null;
}
