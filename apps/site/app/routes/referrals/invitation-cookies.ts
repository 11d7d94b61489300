import { readCode } from "@farthing/core/invitations/rules.ts";

const INVITATION_SECONDS = 30 * 24 * 60 * 60;
const BROWSER_SECONDS = 400 * 24 * 60 * 60;

/**
 * Returns the cookie that remembers by whose link a visitor came, for thirty days. It is sent to registration's own
 * pages only, and holds nothing but the code of the link.
 */
export function invitationCookie(code: string, origin: string): string {
  return `${nameOf("invitation", origin)}=${code}; Max-Age=${INVITATION_SECONDS}; ${attributes("/register", origin)}`;
}

/** Returns the code in the cookie, or null. Whether it exists, and at which brand, is for the database to say. */
export function invitationCodeOf(request: Request, origin: string): string | null {
  return readCode(cookieIn(request, nameOf("invitation", origin)) ?? "");
}

/**
 * Returns the cookie that tells whether inviter and friend used one browser (C8). It is random, is set only where people
 * invite or are invited, and is stored as a keyed hash.
 */
export function browserCookie(mark: string, origin: string): string {
  return `${nameOf("browser", origin)}=${mark}; Max-Age=${BROWSER_SECONDS}; ${attributes("/", origin)}`;
}

export function browserMarkOf(request: Request, origin: string): string | null {
  const mark = cookieIn(request, nameOf("browser", origin));
  return mark !== null && /^[\w-]{22}$/.test(mark) ? mark : null;
}

function cookieIn(request: Request, name: string): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = pair.trim().split("=");
    if (key === name && value) return value;
  }
  return null;
}

function nameOf(what: "invitation" | "browser", origin: string): string {
  return `${origin.startsWith("https:") ? "__Secure-" : ""}farthing_${what}`;
}

function attributes(path: string, origin: string): string {
  return `Path=${path}; HttpOnly; SameSite=Lax${origin.startsWith("https:") ? "; Secure" : ""}`;
}
