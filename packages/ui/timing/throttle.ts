/** The minimum time between two reactions to scrolling or pointing (D9). */
const THROTTLE_MS = 1_000;

export interface Throttled<Values extends unknown[]> {
  (...values: Values): void;
  /** Cancels the pending call. */
  cancel(): void;
}

/**
 * Calls `act` at once and then at most every `ms`. Calls in between result in one call at the end of that time, with the last values, so the last call is
 * never lost.
 */
export function throttle<Values extends unknown[]>(
  act: (...values: Values) => void,
  ms: number = THROTTLE_MS,
): Throttled<Values> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: Values | null = null;

  function rest() {
    timer = setTimeout(() => {
      timer = undefined;
      if (!waiting) return;
      const values = waiting;
      waiting = null;
      rest();
      act(...values);
    }, ms);
  }

  const throttled = (...values: Values) => {
    if (timer !== undefined) {
      waiting = values;
      return;
    }
    rest();
    act(...values);
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = null;
  };
  return Object.assign(throttled, { cancel });
}
