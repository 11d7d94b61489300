/** What went wrong outside the club, counted as it was done. */
export interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  add(what: string, times: number): void;
  kills: { app: number; database: number; operator: number };
  /** References of clicks that the club had answered. */
  clicks: Set<string>;
  clicksWithoutPurchase: number;
  /** People who joined by a link. */
  friends: number;
}

export function emptyTally(): Tally {
  const counts = new Map<string, number>();
  return {
    counts,
    get total() {
      return [...counts.values()].reduce((sum, times) => sum + times, 0);
    },
    add(what, times) {
      if (times > 0) counts.set(what, (counts.get(what) ?? 0) + times);
    },
    kills: { app: 0, database: 0, operator: 0 },
    clicks: new Set(),
    clicksWithoutPurchase: 0,
    friends: 0,
  };
}
