import { inflateRawSync, inflateSync, constants, type ZlibOptions } from "node:zlib";
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";
import { RefusedFileError } from "./refused-file-error.ts";

/** Filters by name, and by the short names that some viewers accept too. */
const filterNames: Record<string, string> = {
  Fl: "FlateDecode",
  LZW: "LZWDecode",
  RL: "RunLengthDecode",
  A85: "ASCII85Decode",
  AHx: "ASCIIHexDecode",
  DCT: "DCTDecode",
  CCF: "CCITTFaxDecode",
};
const compressions = new Set(["FlateDecode", "LZWDecode", "RunLengthDecode"]);
const imageCodecs = new Set(["DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"]);

export interface UnpackedStream {
  /** The stream after all filters except the image's codec, at most `limit` bytes. */
  bytes: Uint8Array;
  codec: string | null;
}

/**
 * Applies the filters of a stream one by one, each within `limit` bytes, whatever length the stream claims.
 * @throws RefusedFileError if it unpacks to more, or is packed in a way that no honest program uses
 */
export function unpackPdfStream(stream: PDFRawStream, limit: number): UnpackedStream {
  const names = filtersOf(stream);
  const last = names.at(-1);
  const codec = last !== undefined && imageCodecs.has(last) ? last : null;
  let bytes: Uint8Array = stream.getContents();
  for (const [at, name] of (codec ? names.slice(0, -1) : names).entries()) {
    // No honest program compresses twice.
    if (at > 0 && compressions.has(name) && names.slice(0, at).some((before) => compressions.has(before)))
      throw new RefusedFileError("pdf-too-complex");
    bytes = takeOff(name, bytes, { stream, at, limit });
  }
  within(bytes.length, limit);
  return { bytes, codec };
}

function filtersOf({ dict }: PDFRawStream): string[] {
  const filter = dict.lookup(PDFName.of("Filter"));
  const filters = filter instanceof PDFArray ? filter.asArray().map((_, at) => filter.lookup(at)) : [filter];
  const names = filters.flatMap((one) => (one instanceof PDFName ? [one.decodeText()] : []));
  if (filter !== undefined && names.length !== filters.length) throw new RefusedFileError("unreadable");
  if (names.length > 4) throw new RefusedFileError("pdf-too-complex");
  return names.map((name) => filterNames[name] ?? name);
}

/** Applies one filter. Where the library unpacks without a limit, the length is computed first. */
function takeOff(
  name: string,
  bytes: Uint8Array,
  { stream, at, limit }: { stream: PDFRawStream; at: number; limit: number },
): Uint8Array {
  switch (name) {
    case "FlateDecode":
      return inflate(bytes, limit);
    case "ASCIIHexDecode":
    case "ASCII85Decode":
      // The output is at most four times as long.
      within(bytes.length, limit);
      return decodeOne(bytes, name, { stream, at });
    case "RunLengthDecode":
      within(runLength(bytes), limit);
      return decodeOne(bytes, name, { stream, at });
    case "LZWDecode":
      within(lzwLength(bytes, earlyChange(stream, at)), limit);
      return decodeOne(bytes, name, { stream, at });
    default:
      throw new RefusedFileError("unreadable");
  }
}

/** Tolerates a missing end and a wrong checksum, as viewers do. */
function inflate(bytes: Uint8Array, limit: number): Uint8Array {
  const options: ZlibOptions = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if (isTooLarge(error)) throw new RefusedFileError("pdf-too-complex");
  }
  try {
    return inflateRawSync(bytes.subarray(2), options);
  } catch (error) {
    throw new RefusedFileError(isTooLarge(error) ? "pdf-too-complex" : "unreadable", error);
  }
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
}

function decodeOne(bytes: Uint8Array, name: string, { stream, at }: { stream: PDFRawStream; at: number }): Uint8Array {
  const dict = PDFDict.withContext(stream.dict.context);
  dict.set(PDFName.of("Filter"), PDFName.of(name));
  const parameters = parametersOf(stream, at);
  if (parameters) dict.set(PDFName.of("DecodeParms"), parameters);
  return decodePDFRawStream(PDFRawStream.of(dict, bytes)).decode();
}

function parametersOf({ dict }: PDFRawStream, at: number): PDFDict | null {
  const parameters = dict.lookup(PDFName.of("DecodeParms"));
  const own = parameters instanceof PDFArray ? parameters.lookup(at) : parameters;
  return own instanceof PDFDict ? own : null;
}

function runLength(bytes: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const count = bytes[at] ?? 128;
    if (count === 128) break;
    length += count < 128 ? count + 1 : 257 - count;
    at += count < 128 ? count + 2 : 2;
  }
  return length;
}

const CLEAR = 256;
const END = 257;

/**
 * Returns the length that LZW codes unpack to. Each entry of the table is one byte longer than its parent, so no bytes
 * have to be unpacked.
 */
function lzwLength(bytes: Uint8Array, early: number): number {
  let lengths: number[] = [];
  let width = 9;
  let previous: number | null = null;
  let total = 0;
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    held &= (1 << bits) - 1;
    if (code === END) break;
    if (code === CLEAR) {
      lengths = [];
      width = 9;
      previous = null;
      continue;
    }
    const length: number = code < CLEAR ? 1 : (lengths[code - 258] ?? (previous ?? 0) + 1);
    if (previous !== null && lengths.length < 4096 - 258) lengths.push(previous + 1);
    total += length;
    previous = length;
    const next = lengths.length + 258 + early;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return total;
}

function earlyChange(stream: PDFRawStream, at: number): number {
  const early = parametersOf(stream, at)?.lookup(PDFName.of("EarlyChange"));
  return early instanceof PDFNumber && early.asNumber() === 0 ? 0 : 1;
}

function within(length: number, limit: number): number {
  if (length > limit) throw new RefusedFileError("pdf-too-complex");
  return length;
}
