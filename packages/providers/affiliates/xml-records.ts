import { UnreadableFileError, type FileRecord } from "@farthing/core/catalogue-imports/file-record.ts";
import { XMLParser } from "fast-xml-parser";
import { decodedXml } from "./xml-text.ts";

/*
 * Our own scanner around fast-xml-parser, which reads a whole document at once: the scanner finds the records of a file of any length, counts its
 * lines, checks that it is well formed and refuses what no network sends (DOCTYPE, entities); the parser reads one record.
 */

/** Where a network's documents have their records. */
export interface XmlShape {
  /** The root element. */
  root: string;
  /**
   * Depth of the records below the root: 1 for its children (couponfeed/link), 2 for its lists' (cj-api/links/link). The list of a record is the name of
   * the element itself at depth 1, and of its parent at depth 2.
   */
  depth: 1 | 2;
  /** The element of a record, where other elements stand beside the records; by default every element at that depth is one. */
  record?: string;
  /** Elements that may occur more than once in a record: they are always read as a list. */
  repeated?: readonly string[];
  /** A child of the root that says why the network returned no records. */
  errorElement?: string;
  /** Returns the record that an element stands for, or null for an element that is none; by default the element. */
  toRecord?(element: Readonly<Record<string, unknown>>): unknown;
}

/** Maximum length of a record, a tag or a comment, in characters. Networks' records have one or two thousand. */
export const MAX_XML_RECORD_LENGTH = 1_000_000;
const MAX_DEPTH = 64;

const NAME = String.raw`[A-Za-z_:\u0080-\uffff][\w:.\u0080-\uffff-]*`;
const START_TAG = new RegExp(`^<(${NAME})(?:\\s+${NAME}\\s*=\\s*(?:"[^"]*"|'[^']*'))*\\s*/?>$`);

/** XML's own names of characters. No file can define others: a DOCTYPE is refused. */
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const OWN_REFERENCES = {
  decode: (text: string) => text.replaceAll(/&([^;\s<&]{1,12});/g, (whole, name: string) => characterOf(name) ?? whole),
  reset() {},
  setXmlVersion() {},
  setExternalEntities() {},
  addInputEntities() {},
};

const DOWNLOAD_AGAIN = "Download it again";

/**
 * Reads an XML file record by record, each with the number of the line it starts on. A record is an object of its elements: text is trimmed, attributes
 * and empty elements are left out. Memory holds one record and one chunk. The file may hold several documents, one after another: the pages of one answer.
 * @param chunks the file's bytes, in order, in the encoding that the file declares (UTF-8, UTF-16, ISO-8859-1, Windows-1252, US-ASCII).
 * @throws UnreadableFileError for an empty, cut-off, wrongly encoded or malformed file, another root element, a DOCTYPE, and an entity that XML does
 * not define itself.
 */
export async function* readXmlRecords(chunks: AsyncIterable<Uint8Array>, shape: XmlShape): AsyncGenerator<FileRecord> {
  const scanner = new Scanner(shape);
  for await (const text of decodedXml(chunks, () => scanner.line)) yield* scanner.read(text);
  scanner.finish();
}

class Scanner {
  line = 1;
  private readonly shape: XmlShape;
  private readonly parser: XMLParser;
  private rest = "";
  /** Names and lines of the open elements, the root first. */
  private readonly open: { name: string; line: number }[] = [];
  private readonly counts = new Map<string, number>();
  private documents = 0;
  // The element being captured: its pieces, their length and its first line.
  private pieces: string[] | null = null;
  private length = 0;
  private startLine = 1;

  constructor(shape: XmlShape) {
    this.shape = shape;
    this.parser = new XMLParser({
      ignoreAttributes: true,
      ignorePiTags: true,
      parseTagValue: false,
      trimValues: false,
      entityDecoder: OWN_REFERENCES,
      isArray: (name) => shape.repeated?.includes(name) ?? false,
    });
  }

  *read(text: string): Generator<FileRecord> {
    this.rest += text;
    let at = 0;
    for (;;) {
      const next = this.rest.indexOf("<", at);
      // Text may go on in the next chunk: a reference that is cut in two is no reference.
      if (next === -1) break;
      if (next > at) this.text(this.rest.slice(at, next));
      at = next;
      const end = this.endOfMarkup(at);
      if (end === -1) break;
      const record = this.markup(this.rest.slice(at, end));
      at = end;
      if (record !== null) yield record;
    }
    this.rest = this.rest.slice(at);
    if (this.open.length === 0 && this.rest !== "" && !this.rest.startsWith("<")) this.text(this.takeRest());
    if (this.rest.length + this.length > MAX_XML_RECORD_LENGTH) throw this.tooLong();
  }

  finish(): void {
    const cut = this.open.length > 0 || this.rest.startsWith("<");
    if (!cut && this.documents > 0) return;
    if (!cut) throw new UnreadableFileError(`The file contains only spaces. ${DOWNLOAD_AGAIN}.`, null);
    const last = this.open.at(-1);
    const where = last === undefined ? "in the middle of a tag" : `inside <${last.name}>, opened on line ${last.line}`;
    throw new UnreadableFileError(
      `The file was cut off: it ends ${where}. ${DOWNLOAD_AGAIN}, and check that the whole file arrived.`,
      this.line,
    );
  }

  private takeRest(): string {
    const text = this.rest;
    this.rest = "";
    return text;
  }

  /** Returns the position after the tag, comment, CDATA section or instruction at `at`; -1 where it goes on in the next chunk. */
  private endOfMarkup(at: number): number {
    const after = (end: string, from: number) => {
      const found = this.rest.indexOf(end, from);
      return found === -1 ? -1 : found + end.length;
    };
    const start = this.rest.slice(at, at + 9);
    if (start.startsWith("<!--")) return after("-->", at + 4);
    if (start === "<![CDATA[") return after("]]>", at + 9);
    if (start.startsWith("<?")) return after("?>", at + 2);
    if (start.startsWith("<!")) {
      if ("<!--".startsWith(start) || "<![CDATA[".startsWith(start)) return -1;
      throw new UnreadableFileError(
        "The file has a document type (DOCTYPE) or another declaration. The networks' answers have none, so it is refused; save the network's answer as it is.",
        this.line,
      );
    }
    let quote = "";
    for (let i = at + 1; i < this.rest.length; i += 1) {
      const char = this.rest[i] as string;
      if (quote !== "") quote = char === quote ? "" : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === ">") return i + 1;
      else if (char === "<") throw this.malformed('found "<" inside a tag; write &lt; for it', this.line);
    }
    return -1;
  }

  private text(text: string): void {
    if (this.pieces !== null) this.checkReferences(text);
    else if (this.open.length === 0 && /[^\s\ufeff]/.test(text)) {
      const first = text.search(/[^\s\ufeff]/);
      this.pass(text.slice(0, first));
      const found = JSON.stringify(text[first]);
      throw new UnreadableFileError(
        this.documents === 0
          ? `This is not an XML file: it starts with ${found} where "<" is expected. Save the network's answer as it is, without converting it.`
          : `This is not valid XML: found ${found} after the end of the document. ${DOWNLOAD_AGAIN}.`,
        this.line,
      );
    }
    this.pass(text);
  }

  /** Counts the lines of what has been read, and keeps it where it belongs to a record. */
  private pass(text: string): void {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.line += 1;
    if (this.pieces === null) return;
    this.pieces.push(text);
    this.length += text.length;
    if (this.length > MAX_XML_RECORD_LENGTH) throw this.tooLong();
  }

  private markup(token: string): FileRecord | null {
    if (/^<[!?]/.test(token)) {
      this.pass(token);
      return null;
    }
    return token.startsWith("</") ? this.closeElement(token) : this.openElement(token);
  }

  private openElement(token: string): FileRecord | null {
    const name = START_TAG.exec(token)?.[1];
    if (name === undefined) throw this.malformed(`${shown(token)} is no tag; write &lt; for "<" in text`, this.line);
    const depth = this.open.length;
    if (depth === 0) {
      if (name !== this.shape.root) throw this.otherRoot(name);
      this.documents += 1;
    }
    if (depth >= MAX_DEPTH) throw this.malformed(`<${name}> is nested more than ${MAX_DEPTH} deep`, this.line);
    if (this.isRecord(name, depth) || (depth === 1 && name === this.shape.errorElement)) {
      this.pieces = [];
      this.length = 0;
      this.startLine = this.line;
    }
    if (this.pieces !== null) this.checkReferences(token);
    this.open.push({ name, line: this.line });
    this.pass(token);
    return token.endsWith("/>") ? this.leave() : null;
  }

  private closeElement(token: string): FileRecord | null {
    const name = token.slice(2, -1).trim();
    const last = this.open.at(-1);
    if (last === undefined) throw this.malformed(`</${shown(name)}> closes nothing`, this.line);
    if (last.name !== name)
      throw this.malformed(`</${shown(name)}> closes <${shown(last.name)}> of line ${last.line}`, this.line);
    this.pass(token);
    return this.leave();
  }

  /** Closes the last open element. Returns the record that it was. */
  private leave(): FileRecord | null {
    const { name } = this.open.pop()!;
    if (this.pieces === null) return null;
    if (this.open.length === 1 && name === this.shape.errorElement) throw this.networkError();
    if (!this.isRecord(name, this.open.length)) return null;
    const list = this.shape.depth === 1 ? name : this.open.at(-1)!.name;
    const index = this.counts.get(list) ?? 0;
    this.counts.set(list, index + 1);
    const parsed = this.parse();
    const element = typeof parsed === "object" ? parsed : {};
    const value = this.shape.toRecord === undefined ? element : this.shape.toRecord(element);
    return value === null ? null : { list, index, line: this.startLine, value };
  }

  private isRecord(name: string, depth: number): boolean {
    return depth === this.shape.depth && (this.shape.record ?? name) === name;
  }

  private parse(): string | Record<string, unknown> {
    const text = this.pieces!.join("");
    this.pieces = null;
    this.length = 0;
    try {
      const [value] = Object.values(this.parser.parse(text) as Record<string, unknown>);
      return withoutEmpty(Array.isArray(value) ? value[0] : value) ?? "";
    } catch {
      throw this.malformed("an element in the record that starts here has a name that can't be read", this.startLine);
    }
  }

  /** XML's own five names and the numbers of characters that XML allows are the only references: no file can define others. */
  private checkReferences(text: string): void {
    for (const { index, 1: reference } of text.matchAll(/&([^;\s<&]{0,12};)?/g)) {
      if (reference !== undefined && characterOf(reference.slice(0, -1)) !== null) continue;
      const line = this.line + text.slice(0, index).split("\n").length - 1;
      throw this.malformed(
        reference === undefined
          ? 'found "&" without a name and ";"; write &amp; for it'
          : `&${reference} is not one of XML's own references`,
        line,
      );
    }
  }

  private networkError(): UnreadableFileError {
    const said = this.parse();
    return new UnreadableFileError(
      `The network returned an error instead of records: ${JSON.stringify(typeof said === "string" ? said.slice(0, 200) : "")}. Correct the request and download the answer again.`,
      this.startLine,
    );
  }

  private otherRoot(name: string): UnreadableFileError {
    return new UnreadableFileError(
      `Found <${shown(name)}> where <${this.shape.root}> is expected. Check that it is the network's own answer, not a web page or another network's.`,
      this.line,
    );
  }

  private malformed(what: string, line: number): UnreadableFileError {
    return new UnreadableFileError(
      `This is not valid XML: ${what.replace(/\.$/, "")}. Correct it, or ${DOWNLOAD_AGAIN.toLowerCase()}.`,
      line,
    );
  }

  private tooLong(): UnreadableFileError {
    return new UnreadableFileError(
      `The record, tag or text that starts here is longer than ${MAX_XML_RECORD_LENGTH} characters, so an end tag or a quote is probably missing.`,
      this.pieces === null ? this.line : this.startLine,
    );
  }
}

/** Returns the character that a reference names ("amp", "#163", "#xA3"), or null where XML has no such character. */
function characterOf(name: string): string | null {
  if (Object.hasOwn(NAMED, name)) return NAMED[name]!;
  const digits = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (digits === null) return null;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  const isAllowed =
    [9, 10, 13].includes(code) ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isAllowed ? String.fromCodePoint(code) : null;
}

/** Returns a parsed value with its text trimmed and without its empty elements; undefined for an empty one. */
function withoutEmpty(value: unknown): string | Record<string, unknown> | undefined {
  if (typeof value === "string") return value.trim() || undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const kept: [string, unknown][] = [];
  for (const [name, part] of Object.entries(value)) {
    const left = Array.isArray(part)
      ? part.map((one) => withoutEmpty(one)).filter((one) => one !== undefined)
      : withoutEmpty(part);
    if (left !== undefined && !(Array.isArray(left) && left.length === 0)) kept.push([name, left]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
