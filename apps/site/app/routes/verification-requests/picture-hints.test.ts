import { describe, expect, test } from "vitest";
import { pictureHints, sharpnessOf } from "./picture-hints.ts";

const titles = (look: Parameters<typeof pictureHints>[0]) => pictureHints(look).map(({ title }) => title);

describe("M4 a picture is checked before it is sent", () => {
  test.each([
    [{ width: 1600, height: 1200, sharpness: 500 }, []],
    [{ width: 1600, height: 599, sharpness: 500 }, ["This picture is small."]],
    [{ width: 1600, height: 1200, sharpness: 12 }, ["This picture looks blurred."]],
    [{ width: 300, height: 200, sharpness: 12 }, ["This picture is small.", "This picture looks blurred."]],
    [{ width: 1600, height: 1200, sharpness: null }, []],
  ])("M4 %j: %j", (look, hints) => expect(titles(look)).toEqual(hints));

  test("M4 print is sharp, the same print blurred is not, and an even surface has nothing to read", () => {
    const size = 64;
    const print = new Uint8Array(size * size).map((_, at) => (Math.floor((at % size) / 2) % 2 ? 255 : 0));
    const smeared = print.map((_, at) => {
      const row = at - (at % size);
      const around = Array.from({ length: 16 }, (__, by) => print[row + ((at + by) % size)] ?? 0);
      return around.reduce((sum, value) => sum + value, 0) / around.length;
    });
    expect(sharpnessOf(print, size, size)).toBeGreaterThan(1_000);
    expect(sharpnessOf(smeared, size, size)).toBeLessThan(40);
    expect(sharpnessOf(new Uint8Array(size * size).fill(200), size, size)).toBe(0);
    expect(sharpnessOf(new Uint8Array(1), 1, 1)).toBe(0);
  });
});
