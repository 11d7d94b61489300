import { readFile, writeFile } from "node:fs/promises";
import { MAX_PIXELS } from "@farthing/core/attachments/rules.ts";
import {
  PDFArray,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFStream,
  PDFWriter,
} from "@cantoo/pdf-lib";
import { parseBounded } from "./bounded-pdf-parser.ts";
import { checkDrawings } from "./drawing-cost.ts";
import { withoutMetadata } from "./jpeg-metadata.ts";
import { jpegPixels } from "./jpeg-pixels.ts";
import { keepPagesOnly } from "./passive-pages.ts";
import { pdfLimits } from "./pdf-limits.ts";
import { RefusedFileError } from "./refused-file-error.ts";
import { unpackPdfStream } from "./unpack-pdf-stream.ts";

/** Keys of scripts, forms with scripts, attached files and films, which a document of pages does not need. */
const activeKeys = new Set(["JS", "JavaScript", "EmbeddedFiles", "EF", "XFA", "RichMediaContent", "RichMediaSettings"]);

/**
 * Actions that reach outside the document. A file with one is refused. Other actions, such as links, are left out of
 * the copy.
 */
const activeActions = new Set([
  "JavaScript",
  "Launch",
  "SubmitForm",
  "ImportData",
  "GoToR",
  "GoToE",
  "Rendition",
  "Movie",
  "Sound",
  "RichMediaExecute",
  "GoTo3DView",
]);

const activeSubtypes = new Set(["FileAttachment", "RichMedia", "Screen", "Movie", "Sound", "3D"]);

/**
 * Reads every object of a PDF, including those in compressed streams, refuses documents that act or exceed
 * pdf-limits.ts, and writes the pages to a new file. Bytes around the objects, their earlier versions, links,
 * actions and what JPEGs say of themselves are not in the copy, and no stream in it unpacks to more than the limit.
 * @throws RefusedFileError
 */
export async function rewritePdf({ from, to }: { from: string; to: string }): Promise<void> {
  try {
    const context = await parseBounded(await readFile(from));
    if (context.lookup(context.trailerInfo.Encrypt)) throw new RefusedFileError("pdf-locked");
    if (context.enumerateIndirectObjects().some(([, object]) => isActive(object)))
      throw new RefusedFileError("pdf-active");
    checkDrawings(context, checkStreams(keepPagesOnly(context)));
    await writeFile(to, await PDFWriter.forContext(context, Infinity).serializeToBuffer(), { mode: 0o600 });
  } catch (error) {
    if (error instanceof RefusedFileError) throw error;
    throw new RefusedFileError("unreadable", error);
  }
}

/** Checks that no stream costs a viewer more than a page or a picture does. Returns the unpacked streams that draw. */
function checkStreams(streams: PDFStream[]): Map<PDFStream, Uint8Array> {
  const drawings = new Map<PDFStream, Uint8Array>();
  const total = { streams: 0, images: 0, pixels: 0 };
  for (const stream of streams) {
    if (!(stream instanceof PDFRawStream)) throw new RefusedFileError("unreadable");
    const isImage = nameIn(stream, "Subtype") === "Image";
    const { bytes, codec } = unpackPdfStream(stream, isImage ? pdfLimits.imageBytes : pdfLimits.streamBytes);
    if (codec !== null && !isImage) throw new RefusedFileError("pdf-too-complex");
    const jpeg = codec === "DCTDecode" ? withoutMetadata(bytes) : null;
    total[isImage ? "images" : "streams"] += bytes.length;
    if (isImage) total.pixels += pixelsOf(stream, jpeg);
    else drawings.set(stream, bytes);
    if (jpeg) keepPicture(stream, jpeg);
  }
  if (
    total.streams > pdfLimits.allStreamBytes ||
    total.images > pdfLimits.allImageBytes ||
    total.pixels > pdfLimits.allPixels
  )
    throw new RefusedFileError("pdf-too-complex");
  return drawings;
}

/** Stores a JPEG without metadata as it stands in the document, packed by nothing else. */
function keepPicture(image: PDFRawStream, picture: Uint8Array): void {
  const parameters = image.dict.lookup(PDFName.of("DecodeParms"));
  if (parameters instanceof PDFArray) {
    const own = parameters.size() > 0 ? parameters.lookup(parameters.size() - 1) : undefined;
    if (own instanceof PDFDict) image.dict.set(PDFName.of("DecodeParms"), own);
    else image.dict.delete(PDFName.of("DecodeParms"));
  }
  image.dict.set(PDFName.of("Filter"), PDFName.of("DCTDecode"));
  image.updateContents(picture);
}

/** Checks the size in the document and in a JPEG's header: viewers allocate memory by either. */
function pixelsOf(image: PDFRawStream, jpeg: Uint8Array | null): number {
  const own = jpeg ? jpegPixels(jpeg) : 0;
  const pixels = Math.max(own, numberIn(image.dict, "Width") * numberIn(image.dict, "Height"));
  if (pixels > MAX_PIXELS) throw new RefusedFileError("too-many-pixels");
  return pixels;
}

function nameIn({ dict }: PDFRawStream, key: string): string | null {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : null;
}

function numberIn(dict: PDFDict, key: string): number {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? Math.abs(value.asNumber()) : 0;
}

function isActive(object: PDFObject): boolean {
  const waiting: PDFObject[] = [object];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PDFInvalidObject) throw new RefusedFileError("unreadable");
    if (next instanceof PDFArray) waiting.push(...next.asArray());
    const dict = next instanceof PDFStream ? next.dict : next;
    if (!(dict instanceof PDFDict)) continue;
    // The bytes of this stream are in another file.
    if (next instanceof PDFStream && dict.has(PDFName.of("F"))) return true;
    for (const [key, value] of dict.entries()) {
      const name = key.decodeText();
      const says = value instanceof PDFName ? value.decodeText() : "";
      if (activeKeys.has(name)) return true;
      if (name === "S" && activeActions.has(says)) return true;
      if (name === "Subtype" && activeSubtypes.has(says)) return true;
      waiting.push(value);
    }
  }
  return false;
}
