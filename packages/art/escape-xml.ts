import escapeHtml from "escape-html";

/** Text as it may stand in XML, between tags or in an attribute. Characters that XML 1.0 forbids are left out. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ""));
}
