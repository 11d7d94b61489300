import { createHmac } from "node:crypto";
import { isSameSecret, newSecretToken } from "@farthing/core/secrets/secret-token.ts";

export interface ChallengeFor {
  brandId: string;
  /** The member who adds a passkey or re-authenticates; "" at a login. */
  memberId: string;
  purpose: "log-in" | "confirm" | "register";
}

/** Covers the browser's dialog and a login page that stays open for a while. */
export const CHALLENGE_MS = 60 * 60 * 1000;

/**
 * Makes a challenge that needs no row until it is answered: it carries its expiry and our signature, and is bound to
 * one brand, purpose and member. The database makes sure that it is answered once (spendChallenge).
 */
export function signedChallenge(key: string, wanted: ChallengeFor, now: Date): { challenge: string; signed: string } {
  const challenge = newSecretToken();
  const body = `${challenge}.${now.getTime() + CHALLENGE_MS}`;
  return { challenge, signed: `${body}.${signature(key, wanted, body)}` };
}

/** Returns a challenge that we signed and that has not expired; null for any other text. */
export function readChallenge(
  key: string,
  wanted: ChallengeFor,
  { signed, now }: { signed: string; now: Date },
): { challenge: string; expiresAt: Date } | null {
  const [challenge = "", end = "", given = ""] = signed.slice(0, 200).split(".");
  if (!isSameSecret(given, signature(key, wanted, `${challenge}.${end}`))) return null;
  const expiresAt = new Date(Number(end));
  return expiresAt > now ? { challenge, expiresAt } : null;
}

function signature(key: string, { brandId, memberId, purpose }: ChallengeFor, body: string): string {
  return createHmac("sha256", key).update(`passkey\n${purpose}\n${brandId}\n${memberId}\n${body}`).digest("base64url");
}
