import { MAX_PIXELS } from "@farthing/core/attachments/rules.ts";
import { RefusedFileError } from "./refused-file-error.ts";

export interface Bitmap {
  width: number;
  height: number;
  /** Three bytes per pixel: red, green, blue; rows from the top. */
  data: Buffer;
}

const BI_RGB = 0;
const BI_BITFIELDS = 3;

/**
 * Decodes an uncompressed BMP of 1, 4, 8, 16, 24 or 32 bits, as Paint, scanners and screenshots write them. sharp
 * can't, and no maintained package reads palettes and top-down rows (docs/decisions/016). Buffer's reads check
 * every bound.
 * @throws RefusedFileError for a file that is compressed, too large or broken
 */
export function decodeBmp(file: Buffer): Bitmap {
  try {
    return decode(file);
  } catch (error) {
    if (error instanceof RefusedFileError) throw error;
    throw new RefusedFileError("unreadable", error);
  }
}

function decode(file: Buffer): Bitmap {
  const pixelsAt = file.readUInt32LE(10);
  const headerSize = file.readUInt32LE(14);
  const isCore = headerSize === 12; // OS/2 1.x
  if (!isCore && headerSize < 40) throw new RefusedFileError("old-bitmap");
  const width = isCore ? file.readUInt16LE(18) : file.readInt32LE(18);
  const signedHeight = isCore ? file.readUInt16LE(20) : file.readInt32LE(22);
  const bits = file.readUInt16LE(isCore ? 24 : 28);
  const compression = isCore ? BI_RGB : file.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  if (width < 1 || height < 1) throw new RefusedFileError("unreadable");
  if (width * height > MAX_PIXELS) throw new RefusedFileError("too-many-pixels");
  if (![1, 4, 8, 16, 24, 32].includes(bits)) throw new RefusedFileError("old-bitmap");
  const hasMasks = compression === BI_BITFIELDS && (bits === 16 || bits === 32);
  if (compression !== BI_RGB && !hasMasks) throw new RefusedFileError("old-bitmap");

  const rowSize = Math.ceil((width * bits) / 32) * 4;
  // Some programs omit the padding of the last row.
  if (pixelsAt < 14 + headerSize || pixelsAt + rowSize * (height - 1) + Math.ceil((width * bits) / 8) > file.length)
    throw new RefusedFileError("unreadable");
  const channels = hasMasks ? [54, 58, 62].map((at) => channelOf(file.readUInt32LE(at))) : defaultChannels(bits);
  const palette = bits <= 8 ? readPalette(file, 14 + headerSize, pixelsAt, isCore ? 3 : 4) : null;

  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = pixelsAt + rowSize * (signedHeight > 0 ? height - 1 - row : row);
    const to = row * width * 3;
    if (palette) copyIndexed(file, from, data, to, { width, bits, palette });
    else if (bits === 24) copyTriples(file, from, data, to, width);
    else copyMasked(file, from, data, to, { width, bits, channels });
  }
  return { width, height, data };
}

function readPalette(file: Buffer, at: number, end: number, entrySize: number): [number, number, number][] {
  const count = Math.min(256, Math.floor((end - at) / entrySize));
  return Array.from({ length: count }, (_, index) => {
    const entry = at + index * entrySize;
    return [file.readUInt8(entry + 2), file.readUInt8(entry + 1), file.readUInt8(entry)];
  });
}

const BLACK = [0, 0, 0] as const;

interface Indexed {
  width: number;
  bits: number;
  palette: [number, number, number][];
}

function copyIndexed(file: Buffer, from: number, data: Buffer, to: number, { width, bits, palette }: Indexed): void {
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  for (let x = 0; x < width; x++) {
    const byte = file.readUInt8(from + Math.floor(x / perByte));
    const index = (byte >> (8 - bits * ((x % perByte) + 1))) & mask;
    // An index beyond the palette is black, as in viewers.
    const [red, green, blue] = palette[index] ?? BLACK;
    data[to + x * 3] = red;
    data[to + x * 3 + 1] = green;
    data[to + x * 3 + 2] = blue;
  }
}

function copyTriples(file: Buffer, from: number, data: Buffer, to: number, width: number): void {
  for (let at = 0; at < width * 3; at += 3) {
    data[to + at] = file[from + at + 2] ?? 0;
    data[to + at + 1] = file[from + at + 1] ?? 0;
    data[to + at + 2] = file[from + at] ?? 0;
  }
}

interface Channel {
  shift: number;
  max: number;
  mask: number;
}

interface Masked {
  width: number;
  bits: number;
  channels: Channel[];
}

function copyMasked(file: Buffer, from: number, data: Buffer, to: number, { width, bits, channels }: Masked): void {
  for (let x = 0; x < width; x++) {
    const pixel = bits === 16 ? file.readUInt16LE(from + x * 2) : file.readUInt32LE(from + x * 4);
    for (const [at, { shift, max, mask }] of channels.entries())
      data[to + x * 3 + at] = max === 0 ? 0 : Math.round((((pixel & mask) >>> shift) / max) * 255);
  }
}

function channelOf(mask: number): Channel {
  if (mask === 0) return { mask, shift: 0, max: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { mask, shift, max: mask >>> shift };
}

function defaultChannels(bits: number): Channel[] {
  return bits === 16 ? [0x7c00, 0x03e0, 0x001f].map(channelOf) : [0xff0000, 0xff00, 0xff].map(channelOf);
}
