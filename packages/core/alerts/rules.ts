/** When an alert on a retailer's rate (D10) has something to announce. Pure. */
import type { RateView } from "../catalogue/catalogue-view.ts";
import { rateValue } from "../catalogue/rates.ts";

/** Values are basis points of a percentage rate, or pence of a fixed one. */
export interface AlertRates {
  rateKind: "percent" | "fixed";
  /** The rate when the member added the alert. */
  askedValue: number;
  /**
   * The highest rate that the member was told of and that still held at the last check; never below the rate at
   * the start.
   */
  knownValue: number;
}

export type AlertVerdict =
  | { outcome: "rise"; rates: AlertRates }
  /** Nothing to announce, but a new value to store. */
  | { outcome: "follow"; rates: AlertRates }
  | { outcome: "none" };

/**
 * Returns what a rate means for an alert. A rate above both the rate at the start and the last announced one is a rise,
 * announced once; after a fall the next rise is a new one. 6 % and £25 can't be compared: a retailer that changes
 * between the kinds starts again. Where there was no rate, any rate is a rise.
 */
export function judgeAlert(alert: AlertRates, current: RateView | null): AlertVerdict {
  if (current && current.kind !== alert.rateKind) {
    const value = rateValue(current);
    if (alert.knownValue === 0 && value > 0)
      return { outcome: "rise", rates: { rateKind: current.kind, askedValue: 0, knownValue: value } };
    return { outcome: "follow", rates: { rateKind: current.kind, askedValue: value, knownValue: value } };
  }
  const value = current ? rateValue(current) : 0;
  if (value > alert.knownValue) return { outcome: "rise", rates: { ...alert, knownValue: value } };
  const known = Math.max(value, alert.askedValue);
  return known === alert.knownValue
    ? { outcome: "none" }
    : { outcome: "follow", rates: { ...alert, knownValue: known } };
}
