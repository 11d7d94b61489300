/**
 * Remembers which banner a visitor without script has closed. With script the browser remembers it by itself (ui/alert-banner.tsx) and the server never
 * learns of it; whoever sends this cookie gets pages rendered for them instead of those that all visitors share.
 */
export const closedBannerCookie = "farthing_banner";

const oneYear = 365 * 24 * 60 * 60;

export function closedBannerOf(cookieHeader: string | null): string | null {
  const value = new RegExp(`(?:^|;\\s*)${closedBannerCookie}=([^;]*)`).exec(cookieHeader ?? "")?.[1];
  try {
    return value === undefined ? null : decodeURIComponent(value);
  } catch {
    return null; // not percent-encoding: not a cookie of ours
  }
}

export function setClosedBanner(id: string, origin: string): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${closedBannerCookie}=${encodeURIComponent(id)}; Max-Age=${oneYear}; Path=/; HttpOnly${secure}; SameSite=Lax`;
}
