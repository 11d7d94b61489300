import { createHmac } from "node:crypto";
import { signedText, sixCharacters } from "./rules.ts";

/**
 * What a device signs its codes with: 32 bytes, derived from its id and the server's key. Nothing that is stored makes codes, so neither does a stolen copy
 * of the database.
 */
export function deviceSecret({ id, brandId, key }: { id: string; brandId: string; key: string }): Buffer {
  return createHmac("sha256", key).update(`device secret 1\n${brandId}\n${id}`).digest();
}

/** The second half of the device's code at a step. */
export function signOf(secret: Uint8Array, handle: string, step: number): string {
  return sixCharacters(createHmac("sha256", secret).update(signedText(handle, step)).digest());
}
