export interface Places {
  /** Runs `work` when a place is free. Returns null at once if too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T | null>;
}

/** Limits how many run at once and how many wait, first come, first served. */
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
        // The longest-waiting caller gets the place.
        const next = queue.shift();
        if (next) next();
        else taken -= 1;
      }
    },
  };
}
