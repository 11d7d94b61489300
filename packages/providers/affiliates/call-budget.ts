export interface CallBudget {
  /** Returns how many calls may start now. */
  left(): number;
  /** Takes one call; returns false when none is left. */
  take(): boolean;
  /** Returns the milliseconds until the next call may start. */
  waitMs(): number;
}

/** Creates a sliding limit of `calls` in any `perMs`. `now` is a monotonic clock in milliseconds. */
export function createCallBudget({
  calls,
  perMs,
  now = () => performance.now(),
}: {
  calls: number;
  perMs: number;
  now?: () => number;
}): CallBudget {
  const started: number[] = [];
  function forgetOld(): void {
    while (started.length > 0 && started[0]! <= now() - perMs) started.shift();
  }
  return {
    left() {
      forgetOld();
      return calls - started.length;
    },
    take() {
      forgetOld();
      if (started.length >= calls) return false;
      started.push(now());
      return true;
    },
    waitMs() {
      forgetOld();
      return started.length < calls ? 0 : started[0]! + perMs - now();
    },
  };
}
