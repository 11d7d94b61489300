import { parse, serialize } from "hono/utils/cookie";
import type { CookieOptions } from "hono/utils/cookie";

/**
 * A cookie of one host. Over https its name has the `__Host-` prefix, so that no other host of the domain can set it.
 */
export interface HostCookie {
  name: string;
  publicScheme: "http" | "https";
  /** Returns the value in a Cookie header, or null if it is not there. */
  valueIn(cookieHeader: string | null | undefined): string | null;
  /** Returns the Set-Cookie header that stores a value. */
  set(value: string, maxAgeSeconds: number): string;
  /** Returns the Set-Cookie header that deletes the cookie. */
  clear(): string;
}

export interface HostCookieOptions {
  publicScheme: "http" | "https";
  /**
   * The cookie is for frames in other sites' pages: SameSite=None, Partitioned (CHIPS), so that each site has its
   * own, and Secure, which browsers accept from http://localhost too.
   */
  isForFrames?: boolean;
  /** The only pages that get it, the whole site by default. The `__Host-` prefix is for "/" alone: others have `__Secure-`. */
  path?: `/${string}`;
}

/**
 * Every cookie of the server is made here: `farthing_<name>`, out of reach of scripts, and not sent with other sites'
 * posts unless it is for frames (S1).
 */
export function hostCookie(
  name: string,
  { publicScheme, isForFrames = false, path = "/" }: HostCookieOptions,
): HostCookie {
  const isSecure = publicScheme === "https";
  const fullName = `${isSecure ? (path === "/" ? "__Host-" : "__Secure-") : ""}farthing_${name}`;
  const attributes: CookieOptions = {
    path,
    httpOnly: true,
    ...(isForFrames ? { secure: true, sameSite: "None", partitioned: true } : { secure: isSecure, sameSite: "Lax" }),
  };
  return {
    name: fullName,
    publicScheme,
    valueIn: (cookieHeader) => (cookieHeader ? (parse(cookieHeader, fullName)[fullName] ?? null) : null),
    set: (value, maxAgeSeconds) => serialize(fullName, value, { ...attributes, maxAge: maxAgeSeconds }),
    clear: () => serialize(fullName, "", { ...attributes, maxAge: 0 }),
  };
}
