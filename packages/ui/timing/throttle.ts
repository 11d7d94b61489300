/** How often, at most, something that follows scrolling or pointing is done (seed section 9). */
export const throttleMs = 1_000;

export interface Throttled<Values extends unknown[]> {
  (...values: Values): void;
  /** Forgets the call that is waiting. */
  cancel(): void;
}

/**
 * Calls `act` at once and then at most every `ms`. What is called in between is done at the end of that time, once, with the last
 * call's values: nothing that happened last is lost.
 */
export function throttle<Values extends unknown[]>(
  act: (...values: Values) => void,
  ms: number = throttleMs,
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
