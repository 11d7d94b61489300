/** How long a window must keep its size before it counts as resized (D9). */
export const resizeDebounceMs = 300;

export interface Debounced<Values extends unknown[]> {
  (...values: Values): void;
  /** Cancels the pending call. */
  cancel(): void;
}

/** Calls `act` once, `ms` after the last of a burst of calls, with the last call's values. */
export function debounce<Values extends unknown[]>(
  act: (...values: Values) => void,
  ms: number = resizeDebounceMs,
): Debounced<Values> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const debounced = (...values: Values) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms, ...values);
  };
  return Object.assign(debounced, { cancel: () => clearTimeout(timer) });
}
