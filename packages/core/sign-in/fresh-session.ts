const MINUTE_MS = 60_000;

/**
 * How long after logging in, or confirming who they are, a member may open and send forms that change how the account
 * is opened. Sending has more time, so that a form opened in time can be completed.
 */
const freshMs = { open: 15 * MINUTE_MS, change: 30 * MINUTE_MS };

/** Returns whether a member has recently proved who they are. An unknown `authenticatedAt` counts as long ago. */
export function isFreshSession(
  authenticatedAt: Date | undefined,
  { now, to }: { now: Date; to: "open" | "change" },
): boolean {
  return authenticatedAt !== undefined && now.getTime() - authenticatedAt.getTime() <= freshMs[to];
}
