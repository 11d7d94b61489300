/** How long the pointer has to rest on a section before its panel opens: passing over opens nothing. */
export const openDelayMs = 150;
/** How long the panel stays when the pointer has left it. */
export const closeDelayMs = 300;
/** How long a pointer on its way down into the open panel may be over another section before that one opens instead. */
export const aimDelayMs = 300;

export interface Point {
  x: number;
  y: number;
}

/** Whether the pointer moves down into the panel, straight or slantwise, rather than along the row of sections. */
export function isAimingDown(from: Point, to: Point): boolean {
  const down = to.y - from.y;
  return down > 0 && Math.abs(to.x - from.x) <= down * 3;
}

/** How long to wait before the section that the pointer has come to opens (product.md D6). */
export function waitBeforeOpening({
  isOtherOpen,
  from,
  to,
}: {
  isOtherOpen: boolean;
  /** Where the pointer was a few moments ago, and where it is. */
  from: Point;
  to: Point;
}): number {
  if (!isOtherOpen) return openDelayMs;
  return isAimingDown(from, to) ? aimDelayMs : 0;
}
