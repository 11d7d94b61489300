import type { TrackingFacts } from "@farthing/core/catalogue/catalogue-view.ts";

type Days = TrackingFacts["tracksWithinDays"];

/** Returns `within 3 days`, `in 1 to 3 days` or `straight away`. */
export function daysInWords({ min, max }: Days): string {
  if (max === 0) return "straight away";
  if (min === max || min === 0) return `within ${countDays(max)}`;
  return `in ${min} to ${countDays(max)}`;
}

function countDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

const afterWhat: Record<TrackingFacts["confirmsAfter"], string> = {
  purchase: "",
  travel: " after you travel",
  stay: " after your stay",
};

/** Returns when cashback shows in the account: `in 1 to 3 days`. */
export function tracksInWords(tracking: TrackingFacts): string {
  return daysInWords(tracking.tracksWithinDays);
}

/** Returns when cashback is confirmed: `in 35 to 75 days`, `in 45 to 120 days after you travel`. */
export function confirmsInWords(tracking: TrackingFacts): string {
  return `${daysInWords(tracking.confirmsWithinDays)}${afterWhat[tracking.confirmsAfter]}`;
}

/**
 * Returns both in one line, for beside the button: `Shows in your account in 1 to 3 days, confirmed in 35 to 75 days`.
 */
export function arrivalLine(tracking: TrackingFacts): string {
  return `Shows in your account ${tracksInWords(tracking)}, confirmed ${confirmsInWords(tracking)}`;
}
