import { readFile, writeFile } from "node:fs/promises";
import { mostPdfPages } from "@farthing/core/attachments/rules.ts";
import {
  EncryptedPDFError,
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFInvalidObject,
  PDFName,
  PDFStream,
  type PDFObject,
} from "@cantoo/pdf-lib";
import { RefusedFileError } from "./refused-file-error.ts";

/** Keys that a document of nothing but pages has no use for: scripts, forms with scripts, attached files, films. */
const activeKeys = new Set(["JS", "JavaScript", "EmbeddedFiles", "EF", "XFA", "RichMediaContent", "RichMediaSettings"]);

/** Actions that reach outside the document. Going to a page or to a web address is fine. */
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
 * Reads every object of a PDF, also those in compressed streams, refuses what is more than pages, and writes the rest anew: what stood before, after
 * or between the objects, earlier versions of them included, is not in the copy.
 * @throws RefusedFileError
 */
export async function rewritePdf({ from, to }: { from: string; to: string }): Promise<void> {
  try {
    const document = await PDFDocument.load(await readFile(from), {
      parseSpeed: ParseSpeeds.Fastest,
      throwOnInvalidObject: true,
      updateMetadata: false,
    });
    const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
    if (objects.some(isActive)) throw new RefusedFileError("pdf-active");
    const pages = document.getPageCount();
    if (pages < 1) throw new RefusedFileError("unreadable");
    if (pages > mostPdfPages) throw new RefusedFileError("pdf-too-long");
    await writeFile(
      to,
      await document.save({ addDefaultPage: false, updateFieldAppearances: false, useObjectStreams: false }),
      { mode: 0o600 },
    );
  } catch (error) {
    if (error instanceof RefusedFileError) throw error;
    throw new RefusedFileError(error instanceof EncryptedPDFError ? "pdf-locked" : "unreadable", error);
  }
}

function isActive(object: PDFObject): boolean {
  const waiting: PDFObject[] = [object];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PDFInvalidObject) throw new RefusedFileError("unreadable");
    if (next instanceof PDFArray) waiting.push(...next.asArray());
    const dict = next instanceof PDFStream ? next.dict : next;
    if (!(dict instanceof PDFDict)) continue;
    // A stream whose bytes are in another file.
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
