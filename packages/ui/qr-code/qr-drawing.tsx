/** Draws a QR code from a computed path (qr-path.ts), for pages where the browser does not need the encoder. */
export function QrDrawing({ qr: { size, path }, label }: { qr: { size: number; path: string }; label: string }) {
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
