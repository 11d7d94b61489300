import { useCallback, useEffect, useState } from "react";
import { type ChunkLoadError, loadModule } from "./lazy-module.ts";

export interface LazyModule<Module> {
  /** The loaded part, or null. */
  module: Module | null;
  /** Why loading failed; null again during the next attempt. */
  error: ChunkLoadError | null;
  /** Tries again, for example after a person pressed "Try again". */
  retry(): void;
}

/**
 * Loads a part of the script for a component when `isWanted` becomes true, and keeps it. Show `<RetryLoad onRetry={retry} />` while there is an error, and
 * the page's plain version until the part is loaded. `chunk` is the part's number, as for loadModule(). `load` must be the same function at each render.
 */
export function useLazyModule<Module>(chunk: number, load: () => Promise<Module>, isWanted = true): LazyModule<Module> {
  const [module, setModule] = useState<{ loaded: Module } | null>(null);
  const [error, setError] = useState<ChunkLoadError | null>(null);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    loadModule(chunk, load).then(
      (loaded) => !isGone && setModule({ loaded }),
      (failure: ChunkLoadError) => !isGone && setError(failure),
    );
    return () => {
      isGone = true;
    };
  }, [chunk, load, isWanted, tries]);

  const retry = useCallback(() => {
    setError(null);
    setTries((count) => count + 1);
  }, []);

  return { module: module?.loaded ?? null, error, retry };
}
