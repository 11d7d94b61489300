export interface Loop {
  /** Ends the sleep, or the next one if a round is running. Not the wait after a failure. */
  wake(): void;
  /** Resolves when the round in hand is done; no other starts. */
  close(): Promise<void>;
}

export interface LoopOptions {
  /** Does what there is to do; resolves to the milliseconds to sleep. */
  round(): Promise<number>;
  /** Told of each round that failed. */
  onError(error: unknown): void;
}

/** The wait after a failure; each failure after it waits twice as long, up to the longest. A round that succeeds begins anew. */
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** A round that asks for no sleep (there is more to do) gets this much at least, and one that asks for nonsense a second. */
const shortestSleepMs = 1;

/**
 * Runs rounds one after another. A round that fails, however it fails, is told to `onError` and tried again later: with the database away, all jobs of
 * all processes would otherwise ask for it without a pause. Nothing that `round` or `onError` does ends the loop.
 */
export function startLoop({ round, onError }: LoopOptions): Loop {
  let isClosed = false;
  let isWoken = false;
  let failures = 0;
  let endSleep: (() => void) | null = null;

  function wake(): void {
    isWoken = true;
    // A notice while the database is in trouble must not undo the wait: what it tells of is found by the next round.
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
      return Number.isFinite(ms) ? Math.max(ms, shortestSleepMs) : firstWaitMs;
    } catch (error) {
      failures += 1;
      try {
        onError(error);
      } catch {
        // The log itself is in trouble (a full disk): the job goes on without it.
      }
      return Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
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
