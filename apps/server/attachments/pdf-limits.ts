/**
 * Limits of a PDF of up to 20 pages, several times what honest ones contain. They count and never time, so the same
 * file always gets the same answer. The process that reads the file bounds time and memory as well (inspect-upload.ts).
 */
export const pdfLimits = {
  /**
   * Indirect objects, including those in object streams. Scans have a few hundred, tagged documents of word processors
   * a few thousand.
   */
  objects: 20_000,
  /** Values of any kind outside of object streams: numbers, names, entries. */
  values: 500_000,
  /** Entries of all cross-reference streams. */
  crossReferences: 200_000,
  /** Integers that the parser tries to read. More mean that it searches through garbage. */
  numbersTried: 600_000,
  /** Digits of one integer. */
  digits: 20,
  /** Bytes that all object and cross-reference streams unpack to. */
  structureBytes: 8 * 1024 * 1024,
  /** Bytes that one stream unpacks to: page content, a font, a colour profile. */
  streamBytes: 16 * 1024 * 1024,
  /** The same for an image without a codec: a page in colour at 450 dots per inch. */
  imageBytes: 64 * 1024 * 1024,
  /** Totals of all streams except images, and of all images. */
  allStreamBytes: 64 * 1024 * 1024,
  allImageBytes: 640 * 1024 * 1024,
  /** Bytes of everything that a page draws. A form that it draws twice counts twice. */
  drawnBytes: 1024 * 1024 * 1024,
  /** Pixels of all images. */
  allPixels: 700_000_000,
} as const;
