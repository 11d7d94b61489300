/** Limits on how fast a member may collect codes (O4, S1). Pure. */

export interface RevealLimit {
  /** Number of new codes within the window. */
  codes: number;
  windowMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A shopper reveals a few codes an hour; a script that empties pools reveals hundreds. An unverified member costs an
 * attacker only an e-mail address, so their limit is lower.
 */
export const revealLimits = {
  verified: [
    { codes: 30, windowMs: HOUR_MS },
    { codes: 100, windowMs: DAY_MS },
  ],
  unverified: [
    { codes: 10, windowMs: HOUR_MS },
    { codes: 20, windowMs: DAY_MS },
  ],
} as const satisfies Record<string, readonly RevealLimit[]>;

/** The longest window of all limits; older reveals do not matter. */
export const MAX_REVEAL_WINDOW_MS = DAY_MS;
/** The largest count of all limits; no more reveals have to be read. */
export const MAX_COUNTED_REVEALS = 100;

/**
 * Returns when a member may be shown another new code: null for now, else the moment at which every limit has
 * room again.
 * @param revealedAt times of the latest reveals that were new to the member, newest first
 */
export function nextRevealAt(revealedAt: readonly Date[], limits: readonly RevealLimit[], now: Date): Date | null {
  const moments = limits.flatMap(({ codes, windowMs }) => {
    const oldest = revealedAt[codes - 1];
    return oldest && oldest.getTime() + windowMs > now.getTime() ? [oldest.getTime() + windowMs] : [];
  });
  return moments.length > 0 ? new Date(Math.max(...moments)) : null;
}

/** Returns the limits of a member; only `verification` "verified" gets the higher ones. */
export function limitsFor(verification: string): readonly RevealLimit[] {
  return verification === "verified" ? revealLimits.verified : revealLimits.unverified;
}
