import { expect, test } from "vitest";
import { escapeXml } from "./escape-xml.ts";

test("S1 every special character of XML is escaped, wherever it is", () => {
  expect(escapeXml(`&<>"'`)).toBe("&amp;&lt;&gt;&quot;&#39;");
  for (const [character, entity] of [
    ["&", "&amp;"],
    ["<", "&lt;"],
    [">", "&gt;"],
    ['"', "&quot;"],
    ["'", "&#39;"],
  ] as const)
    expect(escapeXml(`a${character}b${character}`)).toBe(`a${entity}b${entity}`);
  expect(escapeXml("&lt;")).toBe("&amp;lt;");
});

test("U3 characters that XML 1.0 forbids are removed, and all others kept", () => {
  expect(escapeXml("a\u0000b\u0008c\u000bd\u001fe\ufffef\uffffg")).toBe("abcdefg");
  expect(escapeXml("lone \ud800 and \udc00")).toBe("lone  and ");
  expect(escapeXml("\t\n\r é £ – 😀 \ud7ff\ue000\ufffd")).toBe("\t\n\r é £ – 😀 \ud7ff\ue000\ufffd");
});
