import type { ReactNode } from "react";

/**
 * Replaces a part of the page that could not be loaded (T5), with a message and a button to try again. `children` say what is missing. Default: a
 * general sentence.
 */
export function RetryLoad({ onRetry, children }: { onRetry: () => void; children?: ReactNode }) {
  return (
    <div className="retry-load" role="alert">
      <p>{children ?? "This part of the page could not be loaded. Check your connection and try again."}</p>
      <button type="button" className="button is-quiet" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
