import { createHmac } from "node:crypto";

/**
 * Returns the pseudonym under which a member's telemetry is stored (T1): HMAC-SHA256, truncated to 128 bits, as 22 characters of base64url.
 * It differs by brand, so that events of two brands can't be joined, and without the key nobody can compute it from a member's id.
 * @param secret the key for the purpose "telemetry-user" (`deriveKey`), never FARTHING_SECRET itself. After a change of the secret the pseudonym
 * is another one: whoever exports or erases a member's events computes it with each of `keysOf`.
 */
export function telemetryUserId(secret: string, brandId: string, memberId: string): string {
  // Each id is a UUID, of fixed length and without the separator, so no two pairs give the same text.
  return createHmac("sha256", secret).update(`${brandId}/${memberId}`).digest().subarray(0, 16).toString("base64url");
}
