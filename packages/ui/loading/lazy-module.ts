/** The time limit for loading a part of the script (T5). */
const CHUNK_TIMEOUT_MS = 120_000;

/** The kind of failure: the request failed, or the time limit passed. */
export type ChunkFailure = "error" | "timeout";

export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
  readonly type: ChunkFailure;
  /** The address of the failed request; empty if neither the browser nor the code has it. */
  readonly request: string;

  constructor(chunk: number, type: ChunkFailure, request: string, cause?: unknown) {
    super(`Loading chunk ${chunk} failed\n(${type}: ${request})`, { cause });
    this.type = type;
    this.request = request;
  }
}

/**
 * Loads a part of the script on demand (T5): `loadModule(lazyChunks.confetti, () => import("./throw-confetti.ts"))`. `chunk` is the part's number in the
 * error message; the site has the list. Logs a failure once, so callers only decide what to show instead. To retry, call it again: browsers repeat a
 * failed request, and continue to wait for a slow one.
 * @throws ChunkLoadError if the part can't be loaded within 120 seconds
 */
export function loadModule<Module>(chunk: number, load: () => Promise<Module>): Promise<Module> {
  return new Promise((resolve, reject) => {
    const fail = (type: ChunkFailure, request: string, cause?: unknown) => {
      const error = new ChunkLoadError(chunk, type, request, cause);
      console.error(error.message);
      reject(error);
    };
    const timer = setTimeout(() => fail("timeout", addressIn(load)), CHUNK_TIMEOUT_MS);
    load().then(
      (module) => {
        clearTimeout(timer);
        resolve(module);
      },
      (cause: unknown) => {
        clearTimeout(timer);
        fail("error", addressOf(cause) || addressIn(load), cause);
      },
    );
  });
}

/** Returns the address at the end of a browser's message: "Failed to fetch dynamically imported module: https://…". */
function addressOf(cause: unknown): string {
  return cause instanceof Error ? (/https?:\/\/\S+$/.exec(cause.message)?.[0] ?? "") : "";
}

/** Returns the address in the built code: import("./confetti-Xy12.js"). The build writes all parts into one folder. */
function addressIn(load: () => Promise<unknown>): string {
  const path = /\bimport\(\s*["'`]([^"'`]+)["'`]/.exec(load.toString())?.[1];
  return path ? new URL(path, import.meta.url).href : "";
}
