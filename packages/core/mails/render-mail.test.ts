import { describe, expect, test } from "vitest";
import type { MailContent } from "./mail-template.ts";
import { renderMail, type MailLook } from "./render-mail.ts";

const colours = {
  ...{ ground: "#fff", surface: "#fff", ink: "#111", inkSoft: "#555", action: "#00f", onAction: "#fff" },
  ...{ accent: "#0f0", hero: "#00f", onHero: "#fff" },
};
/** Every character with a meaning in HTML, in every place that shows data. */
const word = (place: string) => `${place}<b>&"'`;
const escapedWord = (place: string) => `${place}&lt;b&gt;&amp;&quot;&#39;`;
const content: MailContent = {
  subject: word("subject"),
  preheader: word("preheader"),
  blocks: [
    { kind: "paragraph", text: word("paragraph") },
    { kind: "button", label: word("button"), path: `/${word("path")}` },
    { kind: "code", text: word("code") },
    { kind: "list", items: [word("first item"), word("second item")] },
    { kind: "facts", facts: [{ label: word("label"), value: word("value") }] },
    { kind: "small-print", text: word("small print") },
  ],
  unsubscribePath: `/${word("unsubscribe")}`,
};
const look: MailLook = {
  name: word("name"),
  strapline: word("strapline"),
  supportEmail: word("support"),
  colours,
  origin: `https://club.example`,
};
const places = [
  ...["subject", "preheader", "paragraph", "button", "path", "code", "first item", "second item", "label", "value"],
  ...["small print", "unsubscribe", "name", "strapline", "support"],
];

describe("S1 data in a mail", () => {
  const { html, text, subject } = renderMail(content, look);

  test.each(places)("S1 %s escapes every character with a meaning in HTML", (place) => {
    expect(html).toContain(escapedWord(place));
    expect(html, "in no place as it came").not.toContain(`${place}<`);
  });

  test("S1 the plain text has the characters unescaped", () => {
    for (const place of places.filter((one) => one !== "preheader")) expect(text).toContain(word(place));
    expect(subject).toBe(word("subject"));
  });

  test.each(["\n", "\r\n", "\0", "\t", "\u007f", "\u2028", "\u2029", "\u001f"])(
    "S1 a subject is one line: %j in it can't begin another header",
    (character) => {
      const sent = renderMail({ ...content, subject: `Hello${character}Bcc: eve@evil.example${character}` }, look);
      expect(sent.subject).toBe("Hello Bcc: eve@evil.example");
    },
  );

  test("M9 a mail that is always sent has no unsubscribe link", () => {
    const { unsubscribePath: _, ...mustCome } = content;
    expect(renderMail(mustCome, look).html).not.toContain("Choose which e-mails you get");
    expect(renderMail(mustCome, look).text).not.toContain("Choose which e-mails you get");
    expect(text).toContain(`Choose which e-mails you get: https://club.example/${word("unsubscribe")}`);
  });
});
