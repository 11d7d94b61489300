/** A QR code whose path is worked out already (qr-path.ts), for pages where the browser need not be able to. */
export function QrDrawing({ qr: { size, path }, label }: { qr: { size: number; path: string }; label: string }) {
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
