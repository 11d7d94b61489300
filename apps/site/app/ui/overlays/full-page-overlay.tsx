import { Spinner } from "@farthing/ui/loading/spinner.tsx";

/**
 * Covers the page during a long submit, with a spinner and at most four lines that take turns (M1). A screen reader
 * announces all lines once, not at every turn. With reduced motion the lines stand below one another.
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
