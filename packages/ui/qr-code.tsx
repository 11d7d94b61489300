import { useMemo } from "react";
import { qrPath } from "./qr-path.ts";

/**
 * A QR code of `text` as SVG: on the server or in the browser, at any size its box has. `label` says what it is for whoever can't see it; what it
 * holds should stand beside it as a link or words, too.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
