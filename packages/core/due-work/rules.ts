/**
 * Decides when failed work is next due. `attempts` counts those that were begun, so it is 1 after the first failure.
 * Null: give up.
 */
export type RetrySchedule<Next extends Date | null = Date | null> = (attempts: number, now: Date) => Next;

/**
 * Retries after each of the waits in turn, in milliseconds, and gives up after the last one: `waits.length + 1`
 * attempts at most.
 */
export function retryAfter(waitsMs: readonly number[]): RetrySchedule {
  return (attempts, now) => {
    const waitMs = waitsMs[attempts - 1];
    return waitMs === undefined ? null : new Date(now.getTime() + waitMs);
  };
}

/** Retries after `firstMs`, then after twice as long each time, at most `maxMs`. Never gives up. */
export function retryDoubling({ firstMs, maxMs }: { firstMs: number; maxMs: number }): RetrySchedule<Date> {
  // The exponent is bounded because 2 ** 1024 is Infinity, and Infinity is no date.
  return (attempts, now) => new Date(now.getTime() + Math.min(firstMs * 2 ** Math.min(attempts - 1, 40), maxMs));
}

/** Far beyond the attempts of any list of waits. */
const ENDLESS = 1_000;

/** Returns the number of attempts that a schedule allows; Infinity if it never gives up. */
export function maxAttemptsOf(schedule: RetrySchedule): number {
  for (let attempts = 1; attempts <= ENDLESS; attempts += 1)
    if (schedule(attempts, new Date(0)) === null) return attempts;
  return Infinity;
}
