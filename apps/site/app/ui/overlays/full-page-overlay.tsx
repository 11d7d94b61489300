import { Spinner } from "@farthing/ui/loading/spinner.tsx";

/**
 * Covers the page while something takes its time, with a spinner and lines that take turns (product.md M1): at most four of them. A screen reader is told
 * all of it once, not at every turn; with reduced motion the lines stand below one another.
 */
export function FullPageOverlay({ isShown, lines }: { isShown: boolean; lines: string[] }) {
  return (
    <div className="full-page-overlay-status" role="status">
      {isShown && (
        <div className="full-page-overlay">
          <Spinner />
          <p className="visually-hidden">{lines.join(" ")}</p>
          <ul className="full-page-overlay-lines display" role="list" aria-hidden="true" data-lines={lines.length}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
