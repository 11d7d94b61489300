import { createHmac } from "node:crypto";
import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";
import { hostCookie, type HostCookie } from "../http/host-cookie.ts";

export type SessionCookie = HostCookie;

/**
 * A session ends thirty days after the login, or after the member last confirmed who they are, used or not (ASVS 5.0 7.3.2). A session
 * that replaces another after a change ends when that one would have.
 */
export const sessionSeconds = 30 * 24 * 60 * 60;

/** The cookie of members' sessions. */
export function sessionCookie(publicScheme: "http" | "https"): SessionCookie {
  return hostCookie("session", { publicScheme });
}

/** Returns the Set-Cookie header of a session. The token is signed, so that a token from a stolen copy of the database opens nothing. */
export function signedCookie(cookie: SessionCookie, token: string, key: string, seconds = sessionSeconds): string {
  return cookie.set(`${token}.${signatureOf(token, key).toString("base64")}`, seconds);
}

/** Returns the session's token from a Cookie header, or null if there is none or its signature (HMAC-SHA256) is not ours. */
export function sessionTokenOf(
  cookieHeader: string | null | undefined,
  cookie: SessionCookie,
  key: string,
): string | null {
  const value = cookie.valueIn(cookieHeader) ?? "";
  const dot = value.lastIndexOf(".");
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const expected = signatureOf(token, key);
  const given = Buffer.from(value.slice(dot + 1), "base64");
  return isSameSecret(given, expected) ? token : null;
}

function signatureOf(token: string, key: string): Buffer {
  return createHmac("sha256", key).update(token).digest();
}
