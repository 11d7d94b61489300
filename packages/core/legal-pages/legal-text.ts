import type { Brand } from "../brands/brand.ts";

/**
 * The text format of legal pages (B3), which an operator can edit in a text box. An empty line begins a paragraph. Lines that begin with "- " are a list,
 * lines that begin with "| " a table whose first line is its head, and "## " begins a heading. A link is [words](/path), or leads to an https or mailto:
 * address. Placeholders: {brand}, {support}, {audience}, {minimumAge} and {residence}.
 */
export type LegalBlock =
  | { kind: "heading"; id: string; text: string }
  | { kind: "paragraph"; words: LegalWords }
  | { kind: "list"; items: LegalWords[] }
  | { kind: "table"; head: string[]; rows: LegalWords[][] };

/** Running text: plain, or a link. */
export type LegalWords = (string | { text: string; href: string })[];

type NamedBrand = Pick<Brand, "name" | "supportEmail" | "audience" | "registration">;

export function fillIn(text: string, brand: NamedBrand): string {
  const values: Record<string, string> = {
    brand: brand.name,
    support: brand.supportEmail,
    audience: brand.audience,
    minimumAge: String(brand.registration.minimumAge),
    residence: inWords(brand.registration.residence),
  };
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

export function readLegalText(text: string, brand: NamedBrand): LegalBlock[] {
  return text
    .split(/\n\s*\n/)
    .flatMap(headingApart)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block) => readBlock(block, brand));
}

/** A heading may have its paragraph on the next line. */
function headingApart(block: string): string[] {
  const [, heading, rest = ""] = /^\s*(## [^\n]*)\n?([^]*)$/.exec(block) ?? [];
  return heading === undefined ? [block] : [heading, rest];
}

function readBlock(block: string, brand: NamedBrand): LegalBlock {
  const lines = block.split("\n").map((line) => line.trim());
  if (block.startsWith("## ")) {
    const text = fillIn(block.slice(3), brand);
    return { kind: "heading", id: slugOf(text), text };
  }
  if (lines.every((line) => line.startsWith("- ")))
    return { kind: "list", items: lines.map((line) => readWords(line.slice(2), brand)) };
  if (lines.every((line) => line.startsWith("| "))) {
    const [head = [], ...rows] = lines.map((line) => line.replace(/^\|\s*|\s*\|$/g, "").split(/\s*\|\s*/));
    return {
      kind: "table",
      head: head.map((cell) => fillIn(cell, brand)),
      rows: rows.map((row) => row.map((cell) => readWords(cell, brand))),
    };
  }
  // A list may follow the line that announces it without an empty line: each is a block of its own.
  return { kind: "paragraph", words: readWords(lines.join(" "), brand) };
}

/** Returns a link of an allowed kind; anything else stays text, so that a mistake is visible and nothing runs. */
function readWords(text: string, brand: NamedBrand): LegalWords {
  return text
    .split(/(\[[^\]]+\]\([^)\s]+\))/)
    .filter((part) => part !== "")
    .map((part) => {
      const [, words = "", target = ""] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? [];
      const href = fillIn(target, brand);
      return /^(?:\/(?!\/)|https:\/\/|mailto:)/.test(href) ? { text: fillIn(words, brand), href } : fillIn(part, brand);
    });
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** "the United Kingdom, Jersey or Guernsey". */
function inWords(codes: readonly string[]): string {
  const names = new Intl.DisplayNames("en-GB", { type: "region" });
  const words = codes.map((code) => (["GB", "IM"].includes(code) ? `the ${names.of(code)}` : (names.of(code) ?? code)));
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
}
