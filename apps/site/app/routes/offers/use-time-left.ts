import { useEffect, useState } from "react";

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

/**
 * Returns the time left until `endsAt`. It ticks in the last day: each minute, and each second in the last hour. The
 * server's text comes first and stays the same until the script runs. Where the visitor's clock is clearly wrong, the
 * server's counts. Null without an end, and until the last day.
 */
export function useTimeLeft(endsAt: Date | null, renderedAt: Date): TimeLeft | null {
  const ends = endsAt?.getTime() ?? null;
  const rendered = renderedAt.getTime();
  const [left, setLeft] = useState<TimeLeft | null>(ends === null ? null : { ms: ends - rendered, hasSeconds: false });

  useEffect(() => {
    if (ends === null) return;
    const difference = rendered - Date.now();
    const offset = Math.abs(difference) <= CLOCKS_AGREE_MS ? 0 : difference;
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    let timer: number | undefined;
    const tick = () => {
      const ms = Math.max(0, ends - Date.now() - offset);
      const hasSeconds = ms < HOUR_MS && !isCalm;
      setLeft({ ms, hasSeconds });
      if (ms > 0) timer = window.setTimeout(tick, untilNext(ms, hasSeconds));
    };
    tick();
    return () => window.clearTimeout(timer);
  }, [ends, rendered]);

  return left && left.ms <= DAY_MS ? left : null;
}

function untilNext(ms: number, hasSeconds: boolean): number {
  if (ms > DAY_MS) return Math.min(ms - DAY_MS, LONGEST_TIMER_MS);
  const step = hasSeconds ? 1_000 : 60_000;
  return ms % step || step;
}

/** `5 h 12 min left`, `12 min 4 s left`, `under a minute left`. */
export function timeLeftInWords({ ms, hasSeconds }: TimeLeft): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  if (hasSeconds) return minutes > 0 ? `${minutes} min ${seconds} s left` : `${seconds} s left`;
  return minutes > 0 ? `${minutes} min left` : "under a minute left";
}
