import { UnreadableFileError, type FileRecord } from "@farthing/core/catalogue-imports/file-record.ts";
import { SaxesParser } from "saxes";
import { addChild, contentOf, newNode, type XmlNode } from "./xml-tree.ts";

/*
 * saxes checks and reads the XML (decision 046). What is here finds the records of a document of any length, bounds what is held of it, and says of an
 * error where it is and what to do.
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
const MAX_XML_RECORD_LENGTH = 1_000_000;
const MAX_DEPTH = 64;
/** XML's own names of characters. No file can define others: a DOCTYPE is refused. */
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
export const DOWNLOAD_AGAIN = "Download it again";

/** Reads one document, piece by piece. */
export class XmlDocument {
  private readonly shape: XmlShape;
  private readonly counts: Map<string, number>;
  private readonly firstLine: number;
  private readonly parser = new SaxesParser();
  private records: FileRecord[] = [];
  /** The open elements, the root first. */
  private readonly open: XmlNode[] = [];
  private closed: XmlNode | null = null;
  /** Depth of the record or the network's error that is being read; null between them. */
  private captured: number | null = null;
  /** Where that, or else the markup or text that is being read, begins. */
  private begin = { position: 0, line: 1 };
  private written = 0;
  private tail = "";
  private end: { position: number; line: number } | null = null;

  constructor(shape: XmlShape, counts: Map<string, number>, firstLine: number) {
    this.shape = shape;
    this.counts = counts;
    this.firstLine = firstLine;
    this.listen();
  }

  get line(): number {
    return this.end?.line ?? this.firstLine + this.parser.line - 1;
  }

  /** Reads a piece. Returns what follows the document in it; null while the document goes on. */
  write(piece: string): string | null {
    this.written += piece.length;
    this.tail = (this.tail + piece).slice(-200);
    this.parser.write(piece);
    if (this.end !== null) return piece.slice(piece.length - (this.written - this.end.position));
    this.checkLength();
    return null;
  }

  takeRecords(): FileRecord[] {
    const { records } = this;
    this.records = [];
    return records;
  }

  cutOff(): UnreadableFileError {
    // All up to the next ";" is a name to the parser, all up to the next quote a value: the end of the file was there and was not seen.
    if (this.tail.trimEnd().endsWith(`</${this.shape.root}>`))
      throw this.malformed(
        `what begins in <${this.open.at(-1)?.name ?? this.shape.root}> does not end: write &amp; for "&", and look for a quote or a comment without its end`,
        this.open.at(-1)?.line ?? this.begin.line,
      );
    const last = this.open.at(-1);
    const where = last === undefined ? "in the middle of a tag" : `inside <${last.name}>, opened on line ${last.line}`;
    return new UnreadableFileError(
      `The file was cut off: it ends ${where}. ${DOWNLOAD_AGAIN}, and check that the whole file arrived.`,
      this.line,
    );
  }

  private listen(): void {
    const { parser } = this;
    // What follows the root element is another document's: its own parser reads it again from its start.
    const on = <Event>(act: (event: Event) => void) => {
      return (event: Event) => {
        if (this.end !== null) return;
        act(event);
        if (this.captured === null) this.begin = { position: parser.position, line: this.line };
      };
    };
    parser.ENTITIES = this.ownEntities();
    parser.on("error", ({ message }) => this.fail(message));
    parser.on(
      "doctype",
      on(() => this.refuseDoctype()),
    );
    parser.on(
      "opentag",
      on(({ name }) => this.enter(name)),
    );
    parser.on(
      "closetag",
      on(() => this.leave()),
    );
    parser.on(
      "text",
      on((text) => this.addText(text)),
    );
    parser.on(
      "cdata",
      on((text) => this.addText(text)),
    );
    const passBy = on<unknown>(() => this.checkLength());
    parser.on("comment", passBy);
    parser.on("processinginstruction", passBy);
  }

  private enter(name: string): void {
    const depth = this.open.length;
    if (depth === 0 && name !== this.shape.root) throw this.otherRoot(name);
    if (depth >= MAX_DEPTH) throw this.malformed(`<${shown(name)}> is nested more than ${MAX_DEPTH} deep`);
    if (name === "__proto__") throw this.malformed("<__proto__> is a name that can't be read");
    // A start tag may have several lines: it begins where the text before it ended.
    if (this.captured === null && (this.isRecord(name, depth) || this.isError(name, depth))) this.captured = depth;
    this.open.push(newNode(name, this.captured === depth ? this.begin.line : this.line));
    if (this.captured !== null) this.checkLength();
  }

  private leave(): void {
    const node = this.open.pop()!;
    this.closed = node;
    const depth = this.open.length;
    if (depth === 0) this.end = { position: this.parser.position, line: this.line };
    if (this.captured === null) return;
    if (depth > this.captured) addChild(this.open.at(-1)!, node, this.shape.repeated ?? []);
    else {
      this.captured = null;
      if (this.isError(node.name, depth)) throw this.networkError(node);
      this.keep(node, this.shape.depth === 1 ? node.name : this.open.at(-1)!.name);
    }
    this.checkLength();
  }

  private keep(node: XmlNode, list: string): void {
    const index = this.counts.get(list) ?? 0;
    this.counts.set(list, index + 1);
    const content = contentOf(node, this.shape.repeated ?? []);
    const element = typeof content === "object" ? content : {};
    const value = this.shape.toRecord === undefined ? element : this.shape.toRecord(element);
    if (value !== null) this.records.push({ list, index, line: node.line, value });
  }

  private addText(text: string): void {
    this.checkLength();
    if (this.captured !== null) this.open.at(-1)!.text += text;
  }

  private isRecord(name: string, depth: number): boolean {
    return depth === this.shape.depth && (this.shape.record ?? name) === name;
  }

  private isError(name: string, depth: number): boolean {
    return depth === 1 && name === this.shape.errorElement;
  }

  private checkLength(): void {
    if (this.parser.position - this.begin.position <= MAX_XML_RECORD_LENGTH) return;
    throw new UnreadableFileError(
      `The record, tag or text that starts here is longer than ${MAX_XML_RECORD_LENGTH} characters, so an end tag or a quote is probably missing.`,
      this.begin.line,
    );
  }

  /** The parser asks for each name between "&" and ";". All that it finds before ";" is one, so the error is on an earlier line. */
  private ownEntities(): Record<string, string> {
    return new Proxy(NAMED, {
      get: (named, name) => {
        const text = String(name);
        if (this.end !== null || Object.hasOwn(named, text)) return named[text] ?? "";
        const line = this.line - (text.split("\n").length - 1);
        throw /^[^\s<&]{1,40}$/.test(text)
          ? this.malformed(`&${text}; is not one of XML's own references`, line)
          : this.malformed('found "&" without a name and ";"; write &amp; for it', line);
      },
    });
  }

  private refuseDoctype(): never {
    throw new UnreadableFileError(
      "The file has a document type (DOCTYPE) or another declaration. The networks' answers have none, so it is refused; save the network's answer as it is.",
      this.line,
    );
  }

  /** @param said the parser's "line:column: sentence" */
  private fail(said: string): void {
    if (this.end !== null && this.parser.position > this.end.position) return;
    const what = said.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    if (what === "incorrect syntax" || what.startsWith("inappropriately located doctype")) this.refuseDoctype();
    if (what === "unexpected close tag" && this.closed !== null)
      throw this.malformed(`the end tag here does not close <${shown(this.closed.name)}> of line ${this.closed.line}`);
    if (what === "malformed character entity")
      throw this.malformed("the number between &# and ; is not that of a character in XML");
    if (what.startsWith("disallowed character in tag name"))
      throw this.malformed('found "<" that begins no tag; write &lt; for it');
    throw this.malformed(shown(what));
  }

  private networkError(node: XmlNode): UnreadableFileError {
    return new UnreadableFileError(
      `The network returned an error instead of records: ${JSON.stringify(node.text.trim().slice(0, 200))}. Correct the request and download the answer again.`,
      node.line,
    );
  }

  private otherRoot(name: string): UnreadableFileError {
    return new UnreadableFileError(
      `Found <${shown(name)}> where <${this.shape.root}> is expected. Check that it is the network's own answer, not a web page or another network's.`,
      this.line,
    );
  }

  private malformed(what: string, line = this.line): UnreadableFileError {
    return new UnreadableFileError(
      `This is not valid XML: ${what}. Correct it, or ${DOWNLOAD_AGAIN.toLowerCase()}.`,
      line,
    );
  }
}

function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
