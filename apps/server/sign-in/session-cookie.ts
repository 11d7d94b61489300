import { createHmac } from "node:crypto";
import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";

export interface SessionCookie {
  name: string;
  attributes: { httpOnly: true; sameSite: "lax"; secure: boolean; path: "/" };
}

/** Thirty days after logging in a session ends, used or not (ASVS 5.0 7.3.2). */
export const sessionSeconds = 30 * 24 * 60 * 60;

/** The session's cookie: for this host only, out of reach of script, not sent with foreign sites' posts; over https with the __Host- guarantee. */
export function sessionCookie(publicScheme: "http" | "https"): SessionCookie {
  const secure = publicScheme === "https";
  return {
    name: secure ? "__Host-farthing_session" : "farthing_session",
    attributes: { httpOnly: true, sameSite: "lax", secure, path: "/" },
  };
}

/** The Set-Cookie of a session: its token, signed, so that one from a stolen copy of the database opens nothing. */
export function signedCookie({ name, attributes }: SessionCookie, token: string, key: string): string {
  const signature = createHmac("sha256", key).update(token).digest("base64");
  const value = encodeURIComponent(`${token}.${signature}`);
  return `${name}=${value}; Max-Age=${sessionSeconds}; Path=${attributes.path}; HttpOnly${attributes.secure ? "; Secure" : ""}; SameSite=Lax`;
}

/** The session's token out of a Cookie header, or null where there is none or its signature (HMAC-SHA256) is not ours. */
export function sessionTokenOf(
  cookieHeader: string | null | undefined,
  cookieName: string,
  key: string,
): string | null {
  if (!cookieHeader?.includes(cookieName)) return null;
  for (const pair of cookieHeader.split(";")) {
    const equals = pair.indexOf("=");
    if (pair.slice(0, equals).trim() !== cookieName) continue;
    const value = decoded(pair.slice(equals + 1).trim());
    const dot = value.lastIndexOf(".");
    if (dot < 1) continue;
    const token = value.slice(0, dot);
    const expected = createHmac("sha256", key).update(token).digest();
    const given = Buffer.from(value.slice(dot + 1), "base64");
    if (isSameSecret(given, expected)) return token;
  }
  return null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return ""; // not percent-encoding: not a cookie of ours
  }
}
