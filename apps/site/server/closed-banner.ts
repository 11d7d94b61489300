/**
 * Remembers the banner that a visitor without script has closed. With script the browser remembers it
 * (ui/layout/alert-banner.tsx) and the server never learns of it. A visitor who sends this cookie gets pages rendered
 * for them, not the shared copies.
 */
export const CLOSED_BANNER_COOKIE = "farthing_banner";

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

export function closedBannerOf(cookieHeader: string | null): string | null {
  const value = new RegExp(`(?:^|;\\s*)${CLOSED_BANNER_COOKIE}=([^;]*)`).exec(cookieHeader ?? "")?.[1];
  try {
    return value === undefined ? null : decodeURIComponent(value);
  } catch {
    return null; // not percent-encoding: not a cookie of ours
  }
}

export function setClosedBanner(id: string, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${CLOSED_BANNER_COOKIE}=${encodeURIComponent(id)}; Max-Age=${ONE_YEAR_SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`;
}
