/** When "tell me when this retailer's rate rises" (product.md D10) has something to tell. Pure. */
import type { RateView } from "../catalogue/catalogue-view.ts";
import { rateValue } from "../catalogue/rates.ts";

/** Values are basis points of a percent rate, pence of a fixed one. */
export interface AlertRates {
  rateKind: "percent" | "fixed";
  /** What held when the member asked. */
  askedValue: number;
  /** The highest that the member knows of and that still held when we last looked; never below what held when they asked. */
  knownValue: number;
}

export type AlertVerdict =
  | { outcome: "rise"; rates: AlertRates }
  /** Nothing to tell, but something to remember. */
  | { outcome: "follow"; rates: AlertRates }
  | { outcome: "none" };

/**
 * A rate above both what held at the asking and what the member was told of is a rise, told once. When it falls again, the next rise is a new one. 6 % and £25
 * can't be compared: where a retailer goes from one kind to the other, the count starts there.
 */
export function judgeAlert(alert: AlertRates, current: RateView | null): AlertVerdict {
  if (current && current.kind !== alert.rateKind) {
    const value = rateValue(current);
    return { outcome: "follow", rates: { rateKind: current.kind, askedValue: value, knownValue: value } };
  }
  const value = current ? rateValue(current) : 0;
  if (value > alert.knownValue) return { outcome: "rise", rates: { ...alert, knownValue: value } };
  const known = Math.max(value, alert.askedValue);
  return known === alert.knownValue
    ? { outcome: "none" }
    : { outcome: "follow", rates: { ...alert, knownValue: known } };
}
