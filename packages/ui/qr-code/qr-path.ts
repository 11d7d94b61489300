import { encode } from "uqr";

/** The width of the quiet zone around the code, in modules, as scanners need it. */
export const QUIET_ZONE = 4;

/**
 * Returns the dark modules of a QR code of `text` as one SVG path, with a rectangle per horizontal run. `size` is the side with the quiet zone. Error
 * correction level M restores 15 %, which is enough on a screen and keeps the modules large.
 */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  let path = "";
  for (const [y, row] of data.entries()) {
    let x = 0;
    while (x < size) {
      const start = row.indexOf(true, x);
      if (start < 0) break;
      const end = row.indexOf(false, start);
      path += `M${start} ${y}h${end - start}v1h${start - end}z`;
      x = end;
    }
  }
  return { size, path };
}
