import { followHeight, type FollowedHeight } from "./frame-height.ts";

/** The portal's box is never lower than this, whatever its content reports. */
export const MIN_HEIGHT_PX = 600;
const LIMITS = { min: MIN_HEIGHT_PX, max: 20_000 };

/** A height is taken once the content has reported no other one for this long. */
const DEBOUNCE_MS = 300;
/** The height changes at most once in this time. A content that never stops reporting is followed once in this time. */
const THROTTLE_MS = 1000;

/** Moments in milliseconds: the first and the latest report that wait, and the last change of the height. */
export type Reports = { first: number; latest: number; changed: number };

/** Returns the moment at which the waiting height is taken. */
export function changeDue({ first, latest, changed }: Reports): number {
  return Math.max(changed + THROTTLE_MS, Math.min(latest + DEBOUNCE_MS, first + THROTTLE_MS));
}

export type PortalHeight = {
  /** The content has reported its height. */
  report(height: number): void;
  /** Forgets a height that waits. */
  stop(): void;
};

/** Calls `show` with the box's height in whole pixels each time it changes: at first the lowest, then what the content's reports lead to. */
export function portalHeight(show: (height: number) => void): PortalHeight {
  let followed: FollowedHeight | undefined;
  let asked = 0;
  let first: number | undefined;
  let latest = 0;
  let changed = -THROTTLE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  show(MIN_HEIGHT_PX);

  function take(): void {
    first = undefined;
    const before = followed?.height;
    followed = followHeight(followed, asked, latest, LIMITS);
    if (followed.height === before) return;
    changed = performance.now();
    // A content that grows with its box answers at once: it is told apart by the time between a change and the next report.
    followed.askedAt = changed;
    show(followed.height);
  }

  return {
    report(height) {
      asked = height;
      latest = performance.now();
      first ??= latest;
      clearTimeout(timer);
      timer = setTimeout(take, changeDue({ first, latest, changed }) - latest);
    },
    stop: () => clearTimeout(timer),
  };
}
