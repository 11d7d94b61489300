import type { ReactNode } from "react";

/**
 * What a person sees where a part of the page could not be loaded (product.md T5): plain words and a way on. `children` say what is missing;
 * without them a general sentence does.
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
