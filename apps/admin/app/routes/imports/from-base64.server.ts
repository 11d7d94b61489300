/** Returns the text that a form has posted again as base64; null: it is none in UTF-8. */
export function fromBase64(content: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(content, "base64"));
  } catch {
    return null;
  }
}
