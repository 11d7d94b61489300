/** Chooses the app store that a phone is sent to (O5), on the server and in the browser. */

export type Phone = "ios" | "android";

/** Detects the platform from the User-Agent. A tablet that identifies as a computer gets the QR code and both links, like a computer. */
export function phoneOf(userAgent: string | null | undefined): Phone | null {
  if (!userAgent) return null;
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent)) return "ios";
  // The User-Agent of Windows phones contains "Android" too.
  return /\bAndroid\b/.test(userAgent) && !/Windows Phone/.test(userAgent) ? "android" : null;
}

/** Returns the link for this browser; null unless it is a phone that has an app. */
export function storeLinkFor(
  storeLinks: Readonly<Record<Phone, string | null>>,
  userAgent: string | null | undefined,
): string | null {
  const phone = phoneOf(userAgent);
  return phone && storeLinks[phone];
}
