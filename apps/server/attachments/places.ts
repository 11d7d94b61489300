export interface Places {
  /** Runs `work` when a place is free; null at once where too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T | null>;
}

/** So many at a time, and so many waiting, first come, first served. */
export function places({ atOnce, waiting }: { atOnce: number; waiting: number }): Places {
  let taken = 0;
  const queue: (() => void)[] = [];
  return {
    async take(work) {
      if (taken >= atOnce) {
        if (queue.length >= waiting) return null;
        await new Promise<void>((resolve) => queue.push(resolve));
      } else taken += 1;
      try {
        return await work();
      } finally {
        // The place goes to whoever waits longest, or is free.
        const next = queue.shift();
        if (next) next();
        else taken -= 1;
      }
    },
  };
}
