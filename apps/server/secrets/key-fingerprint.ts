import { deriveKey } from "./derive-key.ts";

/**
 * Returns 16 hexadecimal characters that tell whether two machines have the same FARTHING_SECRET. It is derived as a key is
 * (deriveKey), so nobody finds the secret by it.
 */
export function keyFingerprint(secret: string): string {
  return deriveKey(secret, "key-fingerprint").slice(0, 16);
}
