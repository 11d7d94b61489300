import { createHmac } from "node:crypto";
import { signedText, sixCharacters } from "./rules.ts";

/**
 * Returns the key that a device signs its codes with: 256 bits, derived from its id and the server's key with
 * HMAC-SHA-256. No stored data can make codes, so a stolen copy of the database can't either.
 */
export function deviceSecret({ id, brandId, key }: { id: string; brandId: string; key: string }): Buffer {
  return createHmac("sha256", key).update(`device secret 1\n${brandId}\n${id}`).digest();
}

/** Returns the second half of the device's code at a step. */
export function signOf(secret: Uint8Array, handle: string, step: number): string {
  return sixCharacters(createHmac("sha256", secret).update(signedText(handle, step)).digest());
}
