/** Says where the time of a run went. Parts do not overlap, so their seconds add up. */
export interface Stopwatch {
  /** Seconds of each part. */
  readonly seconds: ReadonlyMap<string, number>;
  /** Does a part's work, and adds the seconds that it took. */
  time<T>(part: string, work: () => Promise<T>): Promise<T>;
}

export function startStopwatch(): Stopwatch {
  const seconds = new Map<string, number>();
  return {
    seconds,
    async time(part, work) {
      const began = performance.now();
      try {
        return await work();
      } finally {
        seconds.set(part, (seconds.get(part) ?? 0) + (performance.now() - began) / 1000);
      }
    },
  };
}
