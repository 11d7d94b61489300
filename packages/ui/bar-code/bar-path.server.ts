import bwip from "bwip-js/node";

/** A drawn barcode: bars are one unit high, and a module is one unit wide. */
export interface BarPath {
  width: number;
  path: string;
}

/** The empty space beside the bars, in modules, as scanners need it. */
export const BAR_QUIET_ZONE = 10;

/** Returns the bars of a Code 128 barcode of `text` as one SVG path; null for text that Code 128 can't hold. */
export function barPath(text: string): BarPath | null {
  if (!/^[\x20-\x7e]{1,80}$/.test(text)) return null;
  // The option keeps "^" in a text what it is.
  const [drawn] = bwip.raw({ bcid: "code128", text, parse: false }) as { sbs?: number[] }[];
  if (!drawn?.sbs) return null;
  let x = BAR_QUIET_ZONE;
  let path = "";
  for (const [index, width] of drawn.sbs.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v1h${-width}z`;
    x += width;
  }
  return { width: x + BAR_QUIET_ZONE, path };
}
