/** How long the pointer rests on a section before its panel opens: passing over opens nothing. */
export const OPEN_DELAY_MS = 150;
/** How long the panel stays open after the pointer has left it. */
export const CLOSE_DELAY_MS = 300;
/** How long a pointer on its way down into the open panel may cross another section before that section opens. */
export const AIM_DELAY_MS = 300;

export interface Point {
  x: number;
  y: number;
}

/**
 * Returns whether the pointer moves down into the panel, straight or diagonally, rather than along the row of sections.
 */
export function isAimingDown(from: Point, to: Point): boolean {
  const down = to.y - from.y;
  return down > 0 && Math.abs(to.x - from.x) <= down * 3;
}

/** Returns how long to wait before the section under the pointer opens, in milliseconds (D6). */
export function waitBeforeOpening({
  isOtherOpen,
  from,
  to,
}: {
  isOtherOpen: boolean;
  /** Where the pointer was a few moves ago, and where it is now. */
  from: Point;
  to: Point;
}): number {
  if (!isOtherOpen) return OPEN_DELAY_MS;
  return isAimingDown(from, to) ? AIM_DELAY_MS : 0;
}

export interface HoverTimer {
  /** Calls `act` in `ms`, in place of the call that is pending. */
  after(ms: number, act: () => void): void;
  cancel(): void;
  /**
   * Handlers for the row of sections: a click or a key decides by itself, and a pending call would undo what it did.
   */
  ofRow: { onClick: () => void; onKeyDown: () => void };
}

/** Returns the one timer that opens and closes panels under the pointer. */
export function createHoverTimer(): HoverTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  return {
    after(ms, act) {
      cancel();
      timer = setTimeout(act, ms);
    },
    cancel,
    ofRow: { onClick: cancel, onKeyDown: cancel },
  };
}
