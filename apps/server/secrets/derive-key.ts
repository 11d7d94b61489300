import { hkdfSync } from "node:crypto";

/**
 * A key for one purpose from FARTHING_SECRET (HKDF, RFC 5869), so that a token made for one can never be used for another.
 * Gives 64 hexadecimal characters.
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
    | "digital-id"
    | "unsubscribe"
    | "payee",
): string {
  return Buffer.from(hkdfSync("sha256", secret, "farthing", purpose, 32)).toString("hex");
}
