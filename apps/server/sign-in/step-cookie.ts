import { LOGIN_STEP_MS } from "@farthing/core/sign-in/login-steps.server.ts";
import { hostCookie, type HostCookie } from "../http/host-cookie.ts";

/** Carries the token of a login that is half-way: the password was right, a code is to come. */
export function stepCookie({ publicScheme }: Pick<HostCookie, "publicScheme">) {
  const cookie = hostCookie("step", { publicScheme });
  return {
    set: (token: string) => cookie.set(token, LOGIN_STEP_MS / 1000),
    clear: () => cookie.clear(),
    tokenOf(cookieHeader: string | null): string | null {
      const value = cookie.valueIn(cookieHeader);
      return value !== null && /^[\w-]{43}$/.test(value) ? value : null;
    },
  };
}
