import { tokenLifeMs } from "@farthing/core/members/token-rules.ts";
import { DRAFT_DAYS } from "@farthing/core/registration/rules.ts";

/**
 * Returns the cookie with the token of an unfinished registration. It is sent to registration's own pages only, never
 * with posts of foreign sites, and script cannot read it.
 */

export function draftTokenOf(request: Request, origin: string): string | null {
  return tokenIn(request, cookieName(origin, "registration"));
}

export function draftCookie(token: string, origin: string): string {
  return `${cookieName(origin, "registration")}=${token}; Max-Age=${DRAFT_DAYS * 24 * 60 * 60}; ${attributes(origin, "/register")}`;
}

/**
 * Returns the cookie that tells the page that confirms the address that this browser registered, so that the password
 * need not be typed again. It is set at the end of every registration, whether the address was free or not.
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
