/** Which app store a phone is sent to (O5); the same on the server and in the browser. */

export type Phone = "ios" | "android";

/** By the browser's own description. Tablets that pass for computers are treated as one: they get the QR code and both links. */
export function phoneOf(userAgent: string | null | undefined): Phone | null {
  if (!userAgent) return null;
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent)) return "ios";
  // Windows phones said "Android" too.
  return /\bAndroid\b/.test(userAgent) && !/Windows Phone/.test(userAgent) ? "android" : null;
}

/** The link for this browser; null on anything but a phone whose app there is. */
export function storeLinkFor(
  storeLinks: Readonly<Record<Phone, string | null>>,
  userAgent: string | null | undefined,
): string | null {
  const phone = phoneOf(userAgent);
  return phone && storeLinks[phone];
}
