import { createHmac } from "node:crypto";
import { isSameSecret, newSecretToken } from "@farthing/core/secrets/secret-token.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface Device {
  brandId: string;
  memberId: string;
  /** Goes up when marks that were given out are to be strange ones again (recovery-rules.ts). */
  generation: number;
}

const days400 = 400 * 24 * 60 * 60;

/**
 * Marks browsers that an account was opened in before (OWASP: device cookies). It opens nothing: it gives its owner a count of tries of their own, so that
 * whoever hammers the account from elsewhere does not hold them up, and spares them the mail about a new browser.
 */
export function deviceCookie({ attributes: { secure } }: SessionCookie, key: string) {
  const name = secure ? "__Host-farthing_device" : "farthing_device";

  const signature = (mark: string, { brandId, memberId, generation }: Device) =>
    createHmac("sha256", key).update(`device\n${brandId}\n${memberId}\n${generation}\n${mark}`).digest();

  return {
    name,

    /** The browser's mark if it is known for this account, or null. */
    markOf(cookieHeader: string | null, device: Device): string | null {
      for (const pair of cookieHeader?.split(";") ?? []) {
        const [cookieName, value = ""] = pair.trim().split("=", 2);
        if (cookieName !== name) continue;
        const [mark = "", given = ""] = value.split(".", 2);
        if (mark !== "" && isSameSecret(Buffer.from(given, "base64url"), signature(mark, device))) return mark;
      }
      return null;
    },

    /** The Set-Cookie that makes this browser known. */
    set(device: Device): string {
      const mark = newSecretToken(128);
      const value = `${mark}.${signature(mark, device).toString("base64url")}`;
      return `${name}=${value}; Max-Age=${days400}; Path=/; HttpOnly${secure ? "; Secure" : ""}; SameSite=Lax`;
    },
  };
}
