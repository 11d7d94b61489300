import { createHmac } from "node:crypto";
import { isSameSecret, newSecretToken } from "@farthing/core/secrets/secret-token.ts";
import { hostCookie, type HostCookie } from "../http/host-cookie.ts";

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
export function deviceCookie({ publicScheme }: Pick<HostCookie, "publicScheme">, key: string) {
  const cookie = hostCookie("device", { publicScheme });

  const signature = (mark: string, { brandId, memberId, generation }: Device) =>
    createHmac("sha256", key).update(`device\n${brandId}\n${memberId}\n${generation}\n${mark}`).digest();

  return {
    /** The browser's mark if it is known for this account, or null. */
    markOf(cookieHeader: string | null, device: Device): string | null {
      const [mark = "", given = ""] = (cookie.valueIn(cookieHeader) ?? "").split(".", 2);
      const expected = signature(mark, device);
      const bytes = Buffer.from(given, "base64url");
      return mark !== "" && isSameSecret(bytes, expected) ? mark : null;
    },

    /** The Set-Cookie that makes this browser known. */
    set(device: Device): string {
      const mark = newSecretToken(128);
      return cookie.set(`${mark}.${signature(mark, device).toString("base64url")}`, days400);
    },
  };
}
