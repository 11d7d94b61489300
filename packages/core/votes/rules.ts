/** The meaning of members' votes on codes ("Did it work?", O4). Pure. */

export type VoteOutcome = "worked" | "failed";

/** Counts of different members, so that nobody's votes weigh more than another's. */
export interface VoteCounts {
  lastWorkedAt: Date | null;
  workedThisWeek: number;
  failedThisWeek: number;
  /** Of the hours in which a failure counts. */
  workedLately: number;
  failedLately: number;
}

export const WEEK_MS = 7 * 86_400_000;

/** What operators have set (core/thresholds). */
export interface CodeLimits {
  /** Minimum number of members for a verdict to be shown. */
  sample: number;
  /** Number of failures that demote a code. */
  failures: number;
  /** Hours in which they count; the counts of "lately" are of these. */
  hours: number;
}

export interface CodeHealth {
  lastWorkedAt: Date | null;
  /** Shown only if enough members voted; null below that. */
  week: { worked: number; failed: number } | null;
  /** The code fails now: it is shown after the others, with a warning. */
  isDemoted: boolean;
  failedLately: number;
  /** In how many hours. */
  hours: number;
}

/**
 * Returns whether a code is demoted: enough failures in the hours that count, unless more members voted in the same time
 * that it works, so that three votes can't demote a shared code that hundreds use.
 */
export function judgeCode(counts: VoteCounts, { sample, failures, hours }: CodeLimits): CodeHealth {
  const { lastWorkedAt, workedThisWeek: worked, failedThisWeek: failed, workedLately, failedLately } = counts;
  return {
    lastWorkedAt,
    week: worked + failed >= sample ? { worked, failed } : null,
    isDemoted: failedLately >= failures && failedLately >= workedLately,
    failedLately,
    hours,
  };
}

/** Returns `3 members told us today that this code did not work`, for a demoted code. */
export function failuresInWords({ failedLately, hours }: CodeHealth): string {
  const when =
    hours === 24
      ? "today"
      : hours === 1
        ? "in the last hour"
        : hours % 24 === 0
          ? `in the last ${hours / 24} days`
          : `in the last ${hours} hours`;
  return `${members(failedLately)} told us ${when} that this code did not work`;
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
