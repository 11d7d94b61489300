import { createHmac } from "node:crypto";
import { isSameSecret, newSecretToken } from "@farthing/core/secrets/secret-token.ts";

export interface ChallengeFor {
  brandId: string;
  /** Whom a new passkey is for, or who is to show again who they are; "" at a login. */
  memberId: string;
  purpose: "log-in" | "confirm" | "register";
}

/** As long as a person may take over the browser's dialog, and a login page may lie open. */
export const challengeMs = 60 * 60 * 1000;

/**
 * A challenge that needs no row until it is answered: it carries its end and our signature, for one brand, one purpose and one member. That it is answered
 * once is for the database to hold (spendChallenge).
 */
export function signedChallenge(key: string, wanted: ChallengeFor, now: Date): { challenge: string; signed: string } {
  const challenge = newSecretToken();
  const body = `${challenge}.${now.getTime() + challengeMs}`;
  return { challenge, signed: `${body}.${signature(key, wanted, body)}` };
}

/** The challenge as it was signed, while it is good; null for any other text. */
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
