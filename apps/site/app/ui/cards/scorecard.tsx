import type { Scorecard as ScorecardView } from "@farthing/core/scorecards/rules.ts";

/**
 * How a retailer dealt with members' purchases, shown before the click. Draws nothing where too few members have
 * bought there.
 */
export function Scorecard({ scorecard }: { scorecard: ScorecardView | null }) {
  if (!scorecard) return null;
  const { purchases, trackedInTimePercent, declinedPercent, medianConfirmDays } = scorecard;
  return (
    <div className="scorecard">
      <dl>
        <div>
          <dt>Shown in time</dt>
          <dd className="figures">{trackedInTimePercent}%</dd>
        </div>
        {medianConfirmDays !== null && (
          <div>
            <dt>Confirmed after, typically</dt>
            <dd className="figures">{medianConfirmDays === 1 ? "1 day" : `${medianConfirmDays} days`}</dd>
          </div>
        )}
        {declinedPercent !== null && (
          <div>
            <dt>Declined</dt>
            <dd className="figures">{declinedPercent}%</dd>
          </div>
        )}
      </dl>
      <p className="soft">From {purchases.toLocaleString("en-GB")} of our members’ purchases in the last year.</p>
    </div>
  );
}
