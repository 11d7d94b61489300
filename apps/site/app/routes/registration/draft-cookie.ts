import { tokenLifeMs } from "@farthing/core/members/token-rules.ts";
import { DRAFT_DAYS } from "@farthing/core/registration/rules.ts";

/** Carries the token of a half-finished registration: to its own pages only, out of reach of script, never with foreign sites' posts. */

export function draftTokenOf(request: Request, origin: string): string | null {
  return tokenIn(request, cookieName(origin, "registration"));
}

export function draftCookie(token: string, origin: string): string {
  return `${cookieName(origin, "registration")}=${token}; Max-Age=${DRAFT_DAYS * 24 * 60 * 60}; ${attributes(origin, "/register")}`;
}

/**
 * Says on the page that confirms the address that it was this browser which registered, so that its password need not be typed again. Set at the end of every
 * registration, whether the address was free or not.
 */
export function joiningCookie(token: string, origin: string): string {
  const seconds = tokenLifeMs["confirm-email"] / 1000;
  return `${cookieName(origin, "joining")}=${token}; Max-Age=${seconds}; ${attributes(origin, "/confirm-email")}`;
}

export function joiningTokenOf(request: Request, origin: string): string | null {
  return tokenIn(request, cookieName(origin, "joining"));
}

function tokenIn(request: Request, name: string): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = pair.trim().split("=");
    if (key === name && value && /^[\w-]{40,50}$/.test(value)) return value;
  }
  return null;
}

function cookieName(origin: string, what: "registration" | "joining"): string {
  return isSecure(origin) ? `__Secure-farthing_${what}` : `farthing_${what}`;
}

function attributes(origin: string, path: string): string {
  return `Path=${path}; HttpOnly; SameSite=Lax${isSecure(origin) ? "; Secure" : ""}`;
}

function isSecure(origin: string): boolean {
  return origin.startsWith("https:");
}
