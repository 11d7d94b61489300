import { qrPath } from "@farthing/ui/qr-code/qr-path.ts";

/** The address of a page, to be opened in another browser or on another device. `qr` is an SVG path in a square of `size`. */
export interface PageLink {
  address: string;
  qr: { size: number; path: string };
}

/** Returns a page's address with the QR code of it. Call it in loaders: browsers do not need the encoder. */
export function pageLink(origin: string, path: string): PageLink {
  const address = origin + path;
  return { address, qr: qrPath(address) };
}
