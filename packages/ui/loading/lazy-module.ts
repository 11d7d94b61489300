/** Loading a part of the script when it is wanted (seed sections 7 and 8): two minutes at most, and a failure that says what failed. */

/** A part that has not come by then is given up (seed section 9). */
export const chunkTimeoutMs = 120_000;

/** How the loading went wrong: the request itself, or nothing came in time. */
export type ChunkFailure = "error" | "timeout";

export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
  readonly type: ChunkFailure;
  /** Address of the request that failed; empty where neither the browser nor the code tells. */
  readonly request: string;

  constructor(chunk: number, type: ChunkFailure, request: string, cause?: unknown) {
    super(`Loading chunk ${chunk} failed\n(${type}: ${request})`, { cause });
    this.type = type;
    this.request = request;
  }
}

/**
 * Loads a part of the script: `loadModule(lazyChunks.confetti, () => import("./throw-confetti.ts"))`. `chunk` is the part's number, which
 * the failure's message has; the site keeps the list of them. A failure is logged as an error here, once, so that callers only decide what
 * the person gets instead. To try again is to call it again: browsers ask anew for what failed, and go on waiting for what was slow.
 * @throws ChunkLoadError when the part can't be had, or has not come in 120 seconds.
 */
export function loadModule<Module>(chunk: number, load: () => Promise<Module>): Promise<Module> {
  return new Promise((resolve, reject) => {
    const fail = (type: ChunkFailure, request: string, cause?: unknown) => {
      const error = new ChunkLoadError(chunk, type, request, cause);
      console.error(error.message);
      reject(error);
    };
    const timer = setTimeout(() => fail("timeout", addressIn(load)), chunkTimeoutMs);
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

/** Browsers name the address at the end of their message: "Failed to fetch dynamically imported module: https://…". */
function addressOf(cause: unknown): string {
  return cause instanceof Error ? (/https?:\/\/\S+$/.exec(cause.message)?.[0] ?? "") : "";
}

/** The address as it stands in the built code: import("./confetti-Xy12.js"). The build puts all parts into one folder. */
function addressIn(load: () => Promise<unknown>): string {
  const path = /\bimport\(\s*["'`]([^"'`]+)["'`]/.exec(load.toString())?.[1];
  return path ? new URL(path, import.meta.url).href : "";
}
