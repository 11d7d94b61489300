/**
 * What a PDF of up to 20 pages may hold, several times over what honest ones do. Counted, never timed: the same file is always answered the same.
 * Time and memory are bounded as well, by the process that reads it (inspect-upload.ts).
 */
export const pdfLimits = {
  /** Indirect objects, those in object streams included. Scans have a few hundred, tagged documents from word processors some thousand. */
  objects: 20_000,
  /** Values of any kind outside of object streams: numbers, names, entries. */
  values: 500_000,
  /** Entries of all cross-reference streams. */
  crossReferences: 200_000,
  /** Whole numbers that the parser tries to read; more mean that it searches its way through rubbish. */
  numbersTried: 600_000,
  /** Digits of one of them. */
  digits: 20,
  /** Bytes that all object and cross-reference streams unpack to. */
  structureBytes: 8 * 1024 * 1024,
  /** Bytes that one stream unpacks to: what draws a page, a font, a colour profile. */
  streamBytes: 16 * 1024 * 1024,
  /** The same for an image that has no codec of its own: a page in colour at 450 dots per inch. */
  imageBytes: 64 * 1024 * 1024,
  /** All streams but images, and all images. */
  allStreamBytes: 64 * 1024 * 1024,
  allImageBytes: 640 * 1024 * 1024,
  /** Bytes of all that a page draws, a form that it draws twice counted twice. */
  drawnBytes: 1024 * 1024 * 1024,
  /** Pixels of all images. */
  allPixels: 700_000_000,
} as const;
