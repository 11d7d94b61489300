import { useMemo } from "react";
import { QrDrawing } from "./qr-drawing.tsx";
import { qrPath } from "./qr-path.ts";

/**
 * A QR code of `text` as SVG, on the server or in the browser. It fills its box. `label` describes it to screen readers. Show its content beside it as
 * a link or text, too.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const qr = useMemo(() => qrPath(text), [text]);
  return <QrDrawing qr={qr} label={label} />;
}
