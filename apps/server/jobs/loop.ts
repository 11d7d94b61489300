export interface Loop {
  /** Ends the sleep, or the next one if a round is running. */
  wake(): void;
  /** Resolves when the round in hand is done; no other starts. */
  close(): Promise<void>;
}

const AFTER_ERROR_MS = 5_000;

/** Runs rounds one after another; each says how many milliseconds to sleep. A round that fails is told to `onError` and tried again. */
export function startLoop({ round, onError }: { round(): Promise<number>; onError(error: unknown): void }): Loop {
  let isClosed = false;
  let isWoken = false;
  let endSleep: (() => void) | null = null;

  function wake(): void {
    isWoken = true;
    endSleep?.();
  }

  async function sleep(ms: number): Promise<void> {
    if (!isWoken && !isClosed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    endSleep = null;
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      isWoken = false;
      const ms = await round().catch((error: unknown) => {
        onError(error);
        return AFTER_ERROR_MS;
      });
      await sleep(ms);
    }
  }

  const running = run();
  return {
    wake,
    close() {
      isClosed = true;
      wake();
      return running;
    },
  };
}
