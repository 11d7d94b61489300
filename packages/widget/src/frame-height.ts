/** The limits of a frame's height in CSS pixels. */
export type HeightLimits = { min: number; max: number };

/** A height that follows a frame's content. `changes` counts those that came without a pause between the reports. */
export type FollowedHeight = { height: number; changes: number; askedAt: number };

/** Smaller differences come from rounding. */
const MIN_STEP_PX = 2;
/** A content whose height depends on the frame's own grows with it for ever. This many changes in a row are taken for such a loop. */
const MAX_CHANGES = 12;
/** After a pause of this length the next change belongs to something new, such as an action of the visitor. */
const PAUSE_MS = 2000;

/**
 * Returns the height for a frame whose content reports `asked` at the time `now` (milliseconds). The height stays if the difference is below
 * 2 px after clamping, or if the changes form a loop.
 */
export function followHeight(
  before: FollowedHeight | undefined,
  asked: number,
  now: number,
  { min, max }: HeightLimits,
): FollowedHeight {
  const height = Math.min(max, Math.max(min, Math.ceil(asked)));
  if (!before) return { height, changes: 1, askedAt: now };
  const changes = now - before.askedAt < PAUSE_MS ? before.changes : 0;
  const stays = Math.abs(height - before.height) < MIN_STEP_PX || changes >= MAX_CHANGES;
  return stays ? { ...before, changes, askedAt: now } : { height, changes: changes + 1, askedAt: now };
}
