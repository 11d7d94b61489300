/** The maximum time from a payment intent to a usable card form: code, the provider's script, its form and its amount together. */
export const DEADLINE_MS = 15_000;

/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop);
    }),
  ]);
}
