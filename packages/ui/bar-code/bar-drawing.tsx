/** Draws a barcode from a computed path (bar-path.server.ts). It fills the width of its box. Show its text below it, too. */
export function BarDrawing({ bar: { width, path }, label }: { bar: { width: number; path: string }; label: string }) {
  return (
    <svg
      className="bar-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
