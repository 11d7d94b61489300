/** The shortest time between two reactions to scrolling or pointing (D9). */
export const THROTTLE_MS = 1_000;

export interface Throttled<Values extends unknown[]> {
  (...values: Values): void;
  /** Drops the pending call. */
  cancel(): void;
}

/**
 * Returns a function that calls `act` at once and then at most every `ms`. Calls in between are made once, at the end
 * of that time, with the last call's values, so that the last one is never lost.
 */
export function throttle<Values extends unknown[]>(
  act: (...values: Values) => void,
  ms: number = THROTTLE_MS,
): Throttled<Values> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending: Values | null = null;

  function rest() {
    timer = setTimeout(() => {
      timer = undefined;
      if (!pending) return;
      const values = pending;
      pending = null;
      rest();
      act(...values);
    }, ms);
  }

  const throttled = (...values: Values) => {
    if (timer !== undefined) {
      pending = values;
      return;
    }
    rest();
    act(...values);
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
    pending = null;
  };
  return Object.assign(throttled, { cancel });
}
