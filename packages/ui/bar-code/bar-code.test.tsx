import { renderToStaticMarkup } from "react-dom/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BarDrawing } from "./bar-drawing.tsx";
import { BAR_QUIET_ZONE, barPath } from "./bar-path.server.ts";

/** The widths of the symbols 0 to 106 of Code 128 (ISO/IEC 15417), without the stop's last bar. */
const START_B = "211214";
const STOP = "2331112";

/** The widths of bars and spaces in turn, as a scanner sees them. */
function widthsOf(drawn: { width: number; path: string }): number[] {
  const bars = [...drawn.path.matchAll(/M(\d+) 0h(\d+)v1h-\d+z/g)].map(([, x, w]) => [Number(x), Number(w)] as const);
  return bars.flatMap(([x, w], index) => {
    const next = bars[index + 1];
    return next ? [w, next[0] - x - w] : [w];
  });
}

test("G6 a barcode starts, checks and stops as Code 128 does, with the quiet zone that scanners need", () => {
  const drawn = barPath("ABC-123");
  if (!drawn) throw new Error("nothing drawn");
  const widths = widthsOf(drawn).join("");
  expect(widths.startsWith(START_B)).toBe(true);
  expect(widths.endsWith(STOP)).toBe(true);
  // Letter "A" is symbol 33 of set B.
  expect(widths.slice(6, 12)).toBe("111323");
  expect(drawn.path).toMatch(new RegExp(`^M${BAR_QUIET_ZONE} 0`));
  const end = [...widths].reduce((sum, width) => sum + Number(width), 0);
  expect(drawn.width).toBe(end + 2 * BAR_QUIET_ZONE);
});

test("G6 every printable text has symbols of eleven modules, and different texts different bars", () => {
  const text = fc.string({ minLength: 1, maxLength: 40 }).filter((one) => /^[\x20-\x7e]+$/.test(one));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [a, b] = [barPath(one), barPath(other)];
      expect((a!.width - 2 * BAR_QUIET_ZONE - 13) % 11).toBe(0);
      expect(a!.path === b!.path).toBe(one === other);
    }),
  );
});

test("G6 text that Code 128 can't hold is not drawn", () => {
  for (const text of ["", "ü", "a\nb", "x".repeat(81)]) expect(barPath(text)).toBeNull();
});

test("G6 U1 a barcode has a label for screen readers, and loads no image", () => {
  const html = renderToStaticMarkup(<BarDrawing bar={{ width: 10, path: "M0 0h1v1h-1z" }} label="Barcode" />);
  expect(html).toMatch(/role="img" aria-label="Barcode"/);
  expect(html).not.toMatch(/data:|href|style=/);
});
