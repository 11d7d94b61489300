/** How a retailer dealt with members' purchases in the last year (complaints.md 6). Pure. */

/** A row of `retailer_scorecards`. */
export interface ScorecardCounts {
  purchases: number;
  trackedInTime: number;
  decided: number;
  declined: number;
  medianConfirmDays: number | null;
}

/** What pages show before the click. Percentages never flatter: in time is rounded down, declined up. */
export interface Scorecard {
  purchases: number;
  trackedInTimePercent: number;
  /** Null while too few are decided. */
  declinedPercent: number | null;
  /** From the purchase until it is confirmed. */
  medianConfirmDays: number | null;
}

/** Fewer say more about chance than about the retailer. */
const SMALLEST_SAMPLE = 30;

export function toScorecard(counts: ScorecardCounts | null): Scorecard | null {
  if (!counts || counts.purchases < SMALLEST_SAMPLE) return null;
  const { purchases, trackedInTime, decided, declined, medianConfirmDays } = counts;
  const isDecided = decided >= SMALLEST_SAMPLE;
  return {
    purchases,
    trackedInTimePercent: Math.floor((trackedInTime * 100) / purchases),
    declinedPercent: isDecided ? Math.ceil((declined * 100) / decided) : null,
    medianConfirmDays: isDecided ? medianConfirmDays : null,
  };
}
