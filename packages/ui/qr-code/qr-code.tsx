import { useMemo } from "react";
import { QrDrawing } from "./qr-drawing.tsx";
import { qrPath } from "./qr-path.ts";

/**
 * A QR code of `text` as SVG: on the server or in the browser, at any size its box has. `label` says what it is for whoever can't see it; what it
 * holds should stand beside it as a link or words, too.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const qr = useMemo(() => qrPath(text), [text]);
  return <QrDrawing qr={qr} label={label} />;
}
