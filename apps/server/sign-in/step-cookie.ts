import { LOGIN_STEP_MS } from "@farthing/core/sign-in/login-steps.server.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** Carries the token of a login that is half-way: the password was right, a code is to come. */
export function stepCookie({ attributes: { secure } }: SessionCookie) {
  const name = secure ? "__Host-farthing_step" : "farthing_step";
  const attributes = `Path=/; HttpOnly${secure ? "; Secure" : ""}; SameSite=Lax`;
  return {
    set: (token: string) => `${name}=${token}; Max-Age=${LOGIN_STEP_MS / 1000}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    tokenOf(cookieHeader: string | null): string | null {
      for (const pair of cookieHeader?.split(";") ?? []) {
        const [cookieName, value = ""] = pair.trim().split("=", 2);
        if (cookieName === name && /^[\w-]{43}$/.test(value)) return value;
      }
      return null;
    },
  };
}
