const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest delay of a browser's timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Clocks that differ by no more than this agree: the page may be a minute old. */
const CLOCKS_AGREE_MS = 2 * 60_000;

export interface TimeLeft {
  /** Milliseconds; 0 once the offer has ended. */
  ms: number;
  /** Whether seconds are shown: in the last hour, unless the person prefers reduced motion. */
  hasSeconds: boolean;
}

/** Returns the time left at `now`, in ms since 1970 both. */
export function timeLeft(endsAt: number, now: number, isCalm: boolean): TimeLeft {
  const ms = Math.max(0, endsAt - now);
  return { ms, hasSeconds: ms < HOUR_MS && !isCalm };
}

/** Returns whether the time left is shown: in the last day only. */
export function isShown({ ms }: TimeLeft): boolean {
  return ms <= DAY_MS;
}

/** Returns how long until other words are due: each minute in the last day, and each second in the last hour. */
export function msUntilNext({ ms, hasSeconds }: TimeLeft): number {
  if (ms > DAY_MS) return Math.min(ms - DAY_MS, LONGEST_TIMER_MS);
  const step = hasSeconds ? 1_000 : 60_000;
  return ms % step || step;
}

/**
 * Returns what to add to the visitor's clock. Where it is clearly wrong, the server's counts, which was `renderedAt`
 * when the visitor's was `now`. `isKept`: the browser kept the page, which may be old. Such a page cannot tell that a
 * clock is fast, only that one is slow.
 */
export function clockOffset(renderedAt: number, now: number, { isKept }: { isKept: boolean }): number {
  const difference = renderedAt - now;
  if (isKept && difference < 0) return 0;
  return Math.abs(difference) <= CLOCKS_AGREE_MS ? 0 : difference;
}

/** `5 h 12 min left`, `12 min 4 s left`, `under a minute left`. */
export function timeLeftInWords({ ms, hasSeconds }: TimeLeft): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  if (hasSeconds) return minutes > 0 ? `${minutes} min ${seconds} s left` : `${seconds} s left`;
  return minutes > 0 ? `${minutes} min left` : "under a minute left";
}
