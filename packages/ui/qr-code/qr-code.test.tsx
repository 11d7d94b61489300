import { renderToStaticMarkup } from "react-dom/server";
import { encode } from "uqr";
import { describe, expect, test } from "vitest";
import { QrCode } from "./qr-code.tsx";
import { QUIET_ZONE, qrPath } from "./qr-path.ts";

describe("a QR code", () => {
  test("O5 its path draws exactly the dark modules, with the quiet zone that scanners need", () => {
    const text = "https://chalkside.example/go/app/0123456789abcdef";
    const { size, path } = qrPath(text);
    const expected = encode(text, { ecc: "M", border: QUIET_ZONE });
    const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
    for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
      for (let at = Number(x); at < Number(x) + Number(length); at += 1) drawn[Number(y)]![at] = true;
    expect(size).toBe(expected.size);
    expect(drawn).toEqual(expected.data);
    expect(drawn.slice(0, QUIET_ZONE).flat()).not.toContain(true);
  });

  test("O5 U1 has a label for screen readers, and loads no image", () => {
    const html = renderToStaticMarkup(<QrCode text="x" label="QR code that opens the app" />);
    expect(html).toMatch(/role="img" aria-label="QR code that opens the app"/);
    expect(html).not.toMatch(/data:|href|style=/);
  });
});
