import {
  PDFArray,
  PDFName,
  PDFNumber,
  type PDFContext,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  type PDFRef,
} from "@cantoo/pdf-lib";
import { pdfLimits } from "./pdf-limits.ts";
import { RefusedFileError } from "./refused-file-error.ts";
import { unpackPdfStream } from "./unpack-pdf-stream.ts";

/**
 * Parses a PDF within the limits of pdf-limits.ts. It stops at the first object beyond a limit, and checks object
 * streams before the library unpacks them.
 * @throws RefusedFileError beyond a limit; Error if the document can't be parsed
 */
export async function parseBounded(bytes: Uint8Array): Promise<PDFContext> {
  const parser = new BoundedPdfParser(bytes);
  try {
    return await parser.parseDocument();
  } catch (error) {
    // The library replaces errors that occur within an object by its own.
    throw parser.refusal ?? error;
  }
}

class BoundedPdfParser extends PDFParser {
  refusal: RefusedFileError | null = null;
  private depth = 0;
  private objects = 0;
  private values = 0;
  private numbersTried = 0;
  private structureBytes = 0;
  private crossReferences = 0;

  constructor(bytes: Uint8Array) {
    super(bytes, Infinity, true);
  }

  override parseObject(ref?: PDFRef): PDFObject {
    if (this.depth === 0) this.objects = this.count(this.objects, 1, pdfLimits.objects);
    this.values = this.count(this.values, 1, pdfLimits.values);
    this.depth += 1;
    try {
      const object = super.parseObject(ref);
      if (object instanceof PDFRawStream) this.checkStructure(object);
      return object;
    } finally {
      this.depth -= 1;
    }
  }

  protected override parseRawInt(): number {
    this.numbersTried = this.count(this.numbersTried, 1, pdfLimits.numbersTried);
    let digits = 0;
    while (isDigit(this.bytes.peekAhead(digits))) digits = this.count(digits, 1, pdfLimits.digits);
    return super.parseRawInt();
  }

  /** Checks the streams that the library unpacks while it parses. */
  private checkStructure(stream: PDFRawStream): void {
    const type = stream.dict.lookup(PDFName.of("Type"));
    if (type !== PDFName.of("ObjStm") && type !== PDFName.of("XRef")) return;
    try {
      const { bytes } = unpackPdfStream(stream, pdfLimits.structureBytes);
      this.structureBytes = this.count(this.structureBytes, bytes.length, pdfLimits.structureBytes);
    } catch (error) {
      if (error instanceof RefusedFileError) this.refusal = error;
      throw error;
    }
    if (type === PDFName.of("ObjStm")) {
      this.objects = this.count(this.objects, numberIn(stream, "N"), pdfLimits.objects);
    } else {
      const entries = Math.max(numberIn(stream, "Size"), largestSum(stream, "Index"));
      this.crossReferences = this.count(this.crossReferences, entries, pdfLimits.crossReferences);
      this.count(0, largestSum(stream, "W"), pdfLimits.digits);
    }
  }

  private count(before: number, more: number, limit: number): number {
    const after = before + Math.max(0, more);
    if (after <= limit) return after;
    this.refusal = new RefusedFileError("pdf-too-complex");
    throw this.refusal;
  }
}

function numberIn({ dict }: PDFRawStream, key: string): number {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : 0;
}

/** Returns the sum of an array's positive numbers, which no single one exceeds. */
function largestSum({ dict }: PDFRawStream, key: string): number {
  const array = dict.lookup(PDFName.of(key));
  if (!(array instanceof PDFArray)) return 0;
  return array.asArray().reduce((sum, _, at) => {
    // Every other number of Index is a length; all numbers of W are.
    const value = key === "Index" && at % 2 === 0 ? undefined : array.lookup(at);
    return sum + (value instanceof PDFNumber ? Math.max(0, value.asNumber()) : 0);
  }, 0);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
