import { isUtf8 } from "node:buffer";

/** Returns what JSON in UTF-8 says. Errors say nothing of the text, which may be anything. */
export function parseJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false } {
  if (!isUtf8(bytes)) return { ok: false };
  try {
    return {
      ok: true,
      value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false };
    throw error;
  }
}
