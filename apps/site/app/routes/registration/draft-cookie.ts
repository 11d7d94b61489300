import { draftDays } from "@farthing/core/members/registration/rules.ts";

/** Carries the token of a half-finished registration: to its own pages only, out of reach of script, never with foreign sites' posts. */

export function draftTokenOf(request: Request, origin: string): string | null {
  const name = cookieName(origin);
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = pair.trim().split("=");
    if (key === name && value && /^[\w-]{40,50}$/.test(value)) return value;
  }
  return null;
}

export function draftCookie(token: string, origin: string): string {
  return `${cookieName(origin)}=${token}; Max-Age=${draftDays * 24 * 60 * 60}; ${attributes(origin)}`;
}

function cookieName(origin: string): string {
  return isSecure(origin) ? "__Secure-farthing_registration" : "farthing_registration";
}

function attributes(origin: string): string {
  return `Path=/register; HttpOnly; SameSite=Lax${isSecure(origin) ? "; Secure" : ""}`;
}

function isSecure(origin: string): boolean {
  return origin.startsWith("https:");
}
