/** What members' votes on codes ("Did it work?", product.md O4) say about an offer. Pure. */

export type VoteOutcome = "worked" | "failed";

/** Counts are of different members, so that one person's zeal weighs no more than another's. */
export interface VoteCounts {
  lastWorkedAt: Date | null;
  workedThisWeek: number;
  failedThisWeek: number;
  workedToday: number;
  failedToday: number;
}

export const WEEK_MS = 7 * 86_400_000;
export const DAY_MS = 86_400_000;

/** Fewer than these say nothing about the next person's basket. */
const SMALLEST_SAMPLE = 5;
/** So many failures in 24 hours demote a code. */
const FAILURES_THAT_DEMOTE = 3;

export interface CodeHealth {
  lastWorkedAt: Date | null;
  /** Said by enough members to be shown; null below that. */
  week: { worked: number; failed: number } | null;
  /** It fails just now: shown after the others, with a warning. */
  isDemoted: boolean;
  failedToday: number;
}

/**
 * Three failures in 24 hours demote a code, unless more members than that said in the same time that it works: a shared code that hundreds use can't be
 * talked down by three.
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

/** `Worked for 12 members this week`, with what speaks against it; null where too few have said anything. */
export function healthInWords({ week, isDemoted }: CodeHealth): string | null {
  if (!week || isDemoted || week.worked === 0) return null;
  const worked = `Worked for ${members(week.worked)} this week`;
  return week.failed > 0 ? `${worked}, not for ${week.failed}` : worked;
}

function members(count: number): string {
  return count === 1 ? "1 member" : `${count} members`;
}
