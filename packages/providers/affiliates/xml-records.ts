import { UnreadableFileError, type FileRecord } from "@farthing/core/catalogue-imports/file-record.ts";
import { DOWNLOAD_AGAIN, XmlDocument, type XmlShape } from "./xml-document.ts";
import { decodedXml } from "./xml-text.ts";

export type { XmlShape } from "./xml-document.ts";

/** Characters that are read at once, and so whose records are held at once. */
const PIECE_LENGTH = 65_536;

const BLANK = /[^\s\ufeff]/;

/**
 * Reads an XML file record by record, each with the number of the line it starts on. A record is an object of its elements: text is trimmed, attributes
 * and empty elements are left out. Memory holds a piece of the file. The file may hold several documents, one after another: the pages of one answer.
 * @param chunks the file's bytes, in order, in the encoding that the file declares (UTF-8, UTF-16, ISO-8859-1, Windows-1252, US-ASCII).
 * @throws UnreadableFileError for an empty, cut-off, wrongly encoded or malformed file, another root element, a DOCTYPE, and an entity that XML does
 * not define itself.
 */
export async function* readXmlRecords(chunks: AsyncIterable<Uint8Array>, shape: XmlShape): AsyncGenerator<FileRecord> {
  const reader = new FileReader(shape);
  for await (const text of decodedXml(chunks, () => reader.line))
    for (let at = 0; at < text.length; at += PIECE_LENGTH) yield* reader.read(text.slice(at, at + PIECE_LENGTH));
  reader.finish();
}

/** Reads documents one after another. */
class FileReader {
  /** The line that has been reached. */
  line = 1;
  private readonly shape: XmlShape;
  private readonly counts = new Map<string, number>();
  private document: XmlDocument | null = null;
  private documents = 0;

  constructor(shape: XmlShape) {
    this.shape = shape;
  }

  *read(piece: string): Generator<FileRecord> {
    for (let rest = piece; rest !== "";) {
      if (this.document === null) rest = this.begin(rest);
      if (this.document === null) return;
      const after = this.document.write(rest);
      yield* this.document.takeRecords();
      this.line = this.document.line;
      if (after === null) return;
      this.document = null;
      rest = after;
    }
  }

  /** Passes what is blank between documents, and begins one where something follows. */
  private begin(text: string): string {
    const start = text.search(BLANK);
    this.line += text.slice(0, start === -1 ? text.length : start).split("\n").length - 1;
    if (start === -1) return "";
    if (text[start] !== "<") throw this.notXml(text[start]!);
    this.documents += 1;
    this.document = new XmlDocument(this.shape, this.counts, this.line);
    return text.slice(start);
  }

  finish(): void {
    if (this.document !== null) throw this.document.cutOff();
    if (this.documents === 0) throw new UnreadableFileError(`The file contains only spaces. ${DOWNLOAD_AGAIN}.`, null);
  }

  private notXml(char: string): UnreadableFileError {
    const found = JSON.stringify(char);
    return new UnreadableFileError(
      this.documents === 0
        ? `This is not an XML file: it starts with ${found} where "<" is expected. Save the network's answer as it is, without converting it.`
        : `This is not valid XML: found ${found} after the end of the document. ${DOWNLOAD_AGAIN}.`,
      this.line,
    );
  }
}
