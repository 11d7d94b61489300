import { signedText, sixCharacters } from "@farthing/core/digital-ids/rules.ts";

/** Returns the device's secret as a key that signs and cannot be exported. */
export function importSecret(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Returns the device's code at a step, as the server computes it too (packages/core/digital-ids). */
export async function signCode(key: CryptoKey, handle: string, step: number): Promise<string> {
  const text = new TextEncoder().encode(signedText(handle, step));
  return handle + sixCharacters(new Uint8Array(await crypto.subtle.sign("HMAC", key, text)));
}
