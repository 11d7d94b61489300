const minute = 60_000;

/** How long after logging in, or showing again who they are, a member may change how the account is opened. */
const freshMs = { open: 15 * minute, change: 30 * minute };

/**
 * Whether a member has proved lately who they are. A form that was opened in time may be sent a while later; `authenticatedAt` unknown counts as long ago.
 */
export function isFreshSession(
  authenticatedAt: Date | undefined,
  { now, to }: { now: Date; to: "open" | "change" },
): boolean {
  return authenticatedAt !== undefined && now.getTime() - authenticatedAt.getTime() <= freshMs[to];
}
