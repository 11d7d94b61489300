/** The meaning of members' votes on codes ("Did it work?", O4). Pure. */

export type VoteOutcome = "worked" | "failed";

/** Counts of different members, so that nobody's votes weigh more than another's. */
export interface VoteCounts {
  lastWorkedAt: Date | null;
  workedThisWeek: number;
  failedThisWeek: number;
  workedToday: number;
  failedToday: number;
}

export const WEEK_MS = 7 * 86_400_000;
export const DAY_MS = 86_400_000;

/** Minimum number of members for a verdict to be shown. */
const SMALLEST_SAMPLE = 5;
/** Number of failures in 24 hours that demote a code. */
const FAILURES_THAT_DEMOTE = 3;

export interface CodeHealth {
  lastWorkedAt: Date | null;
  /** Shown only if enough members voted; null below that. */
  week: { worked: number; failed: number } | null;
  /** The code fails now: it is shown after the others, with a warning. */
  isDemoted: boolean;
  failedToday: number;
}

/**
 * Returns whether a code is demoted: at least three failures in 24 hours, unless more members voted in the same time
 * that it works, so that three votes can't demote a shared code that hundreds use.
 */
export function judgeCode(counts: VoteCounts): CodeHealth {
  const { lastWorkedAt, workedThisWeek: worked, failedThisWeek: failed, workedToday, failedToday } = counts;
  return {
    lastWorkedAt,
    week: worked + failed >= SMALLEST_SAMPLE ? { worked, failed } : null,
    isDemoted: failedToday >= FAILURES_THAT_DEMOTE && failedToday >= workedToday,
    failedToday,
  };
}

/** Returns `Worked for 12 members this week`, with the failures; null if too few members have voted. */
export function healthInWords({ week, isDemoted }: CodeHealth): string | null {
  if (!week || isDemoted || week.worked === 0) return null;
  const worked = `Worked for ${members(week.worked)} this week`;
  return week.failed > 0 ? `${worked}, not for ${week.failed}` : worked;
}

function members(count: number): string {
  return count === 1 ? "1 member" : `${count} members`;
}
