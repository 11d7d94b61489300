/** How a retailer dealt with members' purchases in the last year (D3). Pure. */

/** A row of `retailer_scorecards`. */
export interface ScorecardCounts {
  purchases: number;
  trackedInTime: number;
  decided: number;
  declined: number;
  medianConfirmDays: number | null;
}

/** What pages show before the click. Percentages never flatter the retailer: in time is rounded down, declined up. */
export interface Scorecard {
  purchases: number;
  trackedInTimePercent: number;
  /** Null while too few purchases are decided. */
  declinedPercent: number | null;
  /** Days from the purchase to its confirmation. */
  medianConfirmDays: number | null;
}

/** @param sample fewer purchases say more about chance than about the retailer; operators set it (core/thresholds) */
export function toScorecard(counts: ScorecardCounts | null, { sample }: { sample: number }): Scorecard | null {
  if (!counts || counts.purchases < sample) return null;
  const { purchases, trackedInTime, decided, declined, medianConfirmDays } = counts;
  const isDecided = decided >= sample;
  return {
    purchases,
    trackedInTimePercent: Math.floor((trackedInTime * 100) / purchases),
    declinedPercent: isDecided ? Math.ceil((declined * 100) / decided) : null,
    medianConfirmDays: isDecided ? medianConfirmDays : null,
  };
}
