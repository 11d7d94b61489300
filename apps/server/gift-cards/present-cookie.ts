import { hostCookie, type HostCookie } from "../http/host-cookie.ts";

const days400 = 400 * 24 * 60 * 60;

/** The cookie of the browser that opened a present (G6): it shows the card again, and no other browser does. */
export function presentCookie(publicId: string, { publicScheme }: Pick<HostCookie, "publicScheme">) {
  const cookie = hostCookie(`present_${publicId}`, { publicScheme });
  return {
    /** The browser's secret in a Cookie header, or null. */
    openerIn: (cookieHeader: string | null): string | null => cookie.valueIn(cookieHeader),
    /** The Set-Cookie header that stores it. */
    set: (opener: string): string => cookie.set(opener, days400),
  };
}
