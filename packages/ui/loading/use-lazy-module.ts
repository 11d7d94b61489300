import { useCallback, useEffect, useState } from "react";
import { type ChunkLoadError, loadModule } from "./lazy-module.ts";

export interface LazyModule<Module> {
  /** The part, once it is there. */
  module: Module | null;
  /** Why it is not there; the next try takes it away. */
  error: ChunkLoadError | null;
  /** Tries again, as a person who pressed "Try again" wants. */
  retry(): void;
}

/**
 * A part of the script for a component: loaded when `isWanted` becomes true, and kept. Show `<RetryLoad onRetry={retry} />` while there is
 * an error, and the page's plain version while there is nothing. `chunk` is the part's number, as loadModule() has it. `load` must be the same function at each render.
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
