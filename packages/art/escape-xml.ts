import escapeHtml from "escape-html";

/** Escapes text for XML, between tags or in an attribute. Removes characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ""));
}
