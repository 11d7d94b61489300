import { openSecret, sealSecret, type SecretKeys } from "../secrets/sealed-secret.ts";
import type { BankAccount as Payee } from "../bank-details/bank-account.ts";

/** Encrypts bank details at rest, bound to their member. */
export function sealPayee(payee: Payee, memberId: string, keys: SecretKeys): string {
  return sealSecret(JSON.stringify(payee), { memberId, keys });
}

/** Returns decrypted bank details; null if they were not encrypted for this member with one of the keys. */
export function tryOpenPayee(sealed: string, memberId: string, keys: SecretKeys): Payee | null {
  try {
    return openPayee(sealed, memberId, keys);
  } catch {
    return null;
  }
}

/** Decrypts bank details. @throws Error if they were not encrypted for this member with one of the keys */
export function openPayee(sealed: string, memberId: string, keys: SecretKeys): Payee {
  return JSON.parse(openSecret(sealed, { memberId, keys })) as Payee;
}
