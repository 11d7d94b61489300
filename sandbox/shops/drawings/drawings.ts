import { goods } from "./goods.ts";
import { disc, line, rect, shape, type Inks } from "./pens.ts";
import { places } from "./places.ts";
import { wear } from "./wear.ts";

const drawings = { ...goods, ...places, ...wear };

export type Drawing = keyof typeof drawings;

/** Returns the drawing as an SVG file, on a background of the given colour with a subtle pattern. */
export function drawingSvg(drawing: Drawing, inks: Inks, field: string, pattern: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">${rect(0, 0, 200, 200, 0, field)}${backdrop(pattern, inks)}${drawings[drawing](inks)}</svg>`;
}

function backdrop(pattern: number, { a, b }: Inks): string {
  const faint = (content: string): string => `<g opacity="0.1">${content}</g>`;
  switch (pattern) {
    case 0:
      return faint(disc(100, 104, 88, a));
    case 1:
      return faint(shape("M0 138 H200 V200 H0 Z", a));
    case 2:
      return faint(shape("M0 200 L200 40 V200 Z", b));
    default:
      return faint(line("M20 20 H180 V180 H20 Z", a, 5));
  }
}
