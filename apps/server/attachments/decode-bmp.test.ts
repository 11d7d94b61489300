import { describe, expect, test } from "vitest";
import { decodeBmp } from "./decode-bmp.ts";
import { bitmap } from "./hostile-files.testing.ts";

interface Options {
  bits: number;
  height?: number;
  palette?: number[];
  masks?: number[];
  rows: number[][];
}

/** Two pixels wide; `rows` as they stand in the file. */
function made({ bits, height = 2, palette = [], masks = [], rows }: Options): Buffer {
  const extra = Buffer.alloc((masks.length + palette.length) * 4);
  [...masks, ...palette].forEach((value, index) => extra.writeUInt32LE(value, index * 4));
  const head = Buffer.alloc(54);
  head.write("BM", "latin1");
  head.writeUInt32LE(54 + extra.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(2, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(masks.length > 0 ? 3 : 0, 30);
  return Buffer.concat([head, extra, Buffer.from(rows.flat())]);
}

const red = [255, 0, 0];
const green = [0, 255, 0];
const blue = [0, 0, 255];
const pixels = (file: Buffer) => [...decodeBmp(file).data];

describe("M4 bitmaps, which sharp does not read", () => {
  test("24 bits: rows are stored bottom-up and padded to four bytes, colours with blue first", () => {
    expect(pixels(bitmap())).toEqual([...red, ...red, ...blue, ...blue]);
  });

  test("a negative height means that the rows are stored top-down", () => {
    const file = made({
      bits: 24,
      height: -2,
      rows: [
        [0, 0, 255, 0, 255, 0, 0, 0],
        [255, 0, 0, 0, 0, 0, 0, 0],
      ],
    });
    expect(pixels(file)).toEqual([...red, ...green, ...blue, 0, 0, 0]);
  });

  test.each([
    [
      8,
      [
        [1, 2, 0, 0],
        [0, 1, 0, 0],
      ],
    ],
    [
      4,
      [
        [0x12, 0, 0, 0],
        [0x01, 0, 0, 0],
      ],
    ],
  ])("%i bits: pixels point into a palette", (bits, rows) => {
    const file = made({ bits, palette: [0xff0000, 0x00ff00, 0x0000ff], rows });
    expect(pixels(file)).toEqual([...red, ...green, ...green, ...blue]);
  });

  test("1 bit: black and white, as scanners write", () => {
    const file = made({
      bits: 1,
      palette: [0, 0xffffff],
      rows: [
        [0x40, 0, 0, 0],
        [0x80, 0, 0, 0],
      ],
    });
    expect(pixels(file)).toEqual([255, 255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 255]);
  });

  test("16 bits without masks, 32 bits with their own masks", () => {
    const sixteen = made({ bits: 16, height: 1, rows: [[0x00, 0x7c, 0x1f, 0x00]] });
    expect(pixels(sixteen)).toEqual([...red, ...blue]);
    const masks = [0xff, 0xff00, 0xff0000];
    const thirtyTwo = made({ bits: 32, height: 1, masks, rows: [[255, 0, 0, 0, 0, 255, 0, 0]] });
    expect(pixels(thirtyTwo)).toEqual([...red, ...green]);
  });

  test.each([
    ["an index beyond the palette is black", made({ bits: 8, height: 1, palette: [0xffffff], rows: [[0, 9, 0, 0]] })],
  ])("%s", (_, file) => {
    expect(pixels(file)).toEqual([255, 255, 255, 0, 0, 0]);
  });

  test.each([
    ["a truncated header", bitmap().subarray(0, 30), "unreadable"],
    ["no pixels", bitmap().subarray(0, 54), "unreadable"],
    ["a size of nothing", bitmap({ width: 0 }), "unreadable"],
    ["a negative width", bitmap({ width: -2 }), "unreadable"],
    ["the largest possible height", bitmap({ height: -2_147_483_648 }), "too-many-pixels"],
    ["run-length encoding", bitmap({ compression: 1 }), "old-bitmap"],
  ])("%s is refused", (_, file, problem) => {
    expect(() => decodeBmp(file)).toThrow(expect.objectContaining({ problem }));
  });
});
