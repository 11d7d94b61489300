/** How fast one member may collect codes (product.md O4, S1). Pure. */

export interface RevealLimit {
  /** New codes that a member may be shown within the window. */
  codes: number;
  windowMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A person who shops reveals a few codes an hour; a script that empties pools reveals hundreds. Members who have not proved their membership cost an
 * attacker nothing but an e-mail address, so they get less.
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

/** The longest window of all limits: older reveals never matter. */
export const MAX_REVEAL_WINDOW_MS = DAY_MS;
/** The largest count of all limits: no more reveals need to be looked at. */
export const MAX_COUNTED_REVEALS = 100;

/**
 * When a member may be shown another new code: null for now, else the moment at which every limit has room again.
 * @param revealedAt When the member was shown the latest codes that were new to them, newest first.
 */
export function nextRevealAt(revealedAt: readonly Date[], limits: readonly RevealLimit[], now: Date): Date | null {
  const moments = limits.flatMap(({ codes, windowMs }) => {
    const oldest = revealedAt[codes - 1];
    return oldest && oldest.getTime() + windowMs > now.getTime() ? [oldest.getTime() + windowMs] : [];
  });
  return moments.length > 0 ? new Date(Math.max(...moments)) : null;
}

/** The limits of a member; `verification` is the member's, and only "verified" is verified. */
export function limitsFor(verification: string): readonly RevealLimit[] {
  return verification === "verified" ? revealLimits.verified : revealLimits.unverified;
}
