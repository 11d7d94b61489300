import { hkdfSync } from "node:crypto";

/**
 * Derives the key for one purpose from FARTHING_SECRET (HKDF, RFC 5869), so that a token for one purpose is worthless
 * for another. Returns 64 hexadecimal characters.
 */
export function deriveKey(
  secret: string,
  purpose:
    | "session-cookie"
    | "reveal-token"
    | "partner-token"
    | "partner-webhook"
    | "attachment"
    | "member-secrets"
    | "registration-count"
    | "mail-count"
    | "digital-id"
    | "offer-preview"
    | "unsubscribe"
    | "payee"
    | "bank-details"
    | "gift-cards"
    | "telemetry-user"
    | "operator-cookie"
    | "acting-cookie"
    | "operator-tries"
    | "operator-secrets"
    | "key-fingerprint",
): string {
  return Buffer.from(hkdfSync("sha256", secret, "farthing", purpose, 32)).toString("hex");
}
