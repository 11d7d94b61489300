export interface Loop {
  /** Ends the sleep, or skips the next one if a round is running. Does not end the wait after a failure. */
  wake(): void;
  /** Resolves when the current round is done. No other starts. */
  close(): Promise<void>;
}

export interface LoopOptions {
  /** Does the work and returns the milliseconds to sleep. */
  round(): Promise<number>;
  /** Called for each round that fails. */
  onError(error: unknown): void;
}

/**
 * The wait after a failure. It doubles with each further failure up to the maximum; a round that succeeds resets it.
 */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/**
 * The sleep after a round that returns zero (there is more to do). A round that returns no number sleeps FIRST_WAIT_MS.
 */
const MIN_SLEEP_MS = 1;

/**
 * Runs rounds one after another. A round that fails is reported to `onError` and retried with exponential back-off, so
 * that the jobs of all processes don't hammer a database that is down. Nothing that `round` or `onError` throws ends
 * the loop.
 */
export function startLoop({ round, onError }: LoopOptions): Loop {
  let isClosed = false;
  let isWoken = false;
  let failures = 0;
  let endSleep: (() => void) | null = null;

  function wake(): void {
    isWoken = true;
    // A notification must not cut the back-off short. The next round finds the work that it announces.
    if (failures === 0) endSleep?.();
  }

  async function sleep(ms: number): Promise<void> {
    if (isClosed || (isWoken && failures === 0)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endSleep = null;
  }

  async function runRound(): Promise<number> {
    try {
      const ms = await round();
      failures = 0;
      return Number.isFinite(ms) ? Math.max(ms, MIN_SLEEP_MS) : FIRST_WAIT_MS;
    } catch (error) {
      failures += 1;
      try {
        onError(error);
      } catch {
        // The log itself fails (a full disk). The job goes on without it.
      }
      return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS);
    }
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      isWoken = false;
      await sleep(await runRound());
    }
  }

  const running = run();
  return {
    wake,
    close() {
      isClosed = true;
      endSleep?.();
      return running;
    },
  };
}
