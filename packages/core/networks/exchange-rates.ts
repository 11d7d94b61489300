import { z } from "zod";
import { fromLondon } from "../catalogue/london-time.ts";
import { foreignCurrencies } from "../money/currencies.ts";
import { convertToPence, minorDigits, type Pence, type RateMicros } from "../money/money.ts";

/** Exchange rates as operators type, read and check them (C2, C4). Pure. */

const MAX_RATE: RateMicros = 1_000_000_000;
/** A rate that differs by more than this from the one before is asked about. */
const MAX_CHANGE = 0.2;
const DAY_MS = 86_400_000;
/** A rate from a day further away than these is asked about. */
const MAX_PAST_DAYS = 366;
const MAX_AHEAD_DAYS = 31;

/**
 * Reads pounds per unit as a person types them: `0.789`, `£0.0052`. Returns millionths; null for anything else: nothing, zero, more than six decimals,
 * or more than £1,000 for a unit.
 */
export function parseRate(text: string): RateMicros | null {
  const match = /^£?\s*(\d{1,4})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const rate = Number(`${match[1]}${(match[2] ?? "").padEnd(6, "0")}`);
  return rate > 0 && rate <= MAX_RATE ? rate : null;
}

/** Returns pounds per unit as decimals, at least two: `0.789`, `1.20`, `0.0052`. */
export function decimalRate(rate: RateMicros): string {
  const digits = String(rate).padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}

/** What a rate means: so many units are so many pence, and what £100 are. Amounts are in the currency's minor units. */
export interface RateExample {
  unitsMinor: number;
  pence: Pence;
  /** What £100 are. */
  ofHundredMinor: number;
}

/** Returns what a rate means for a round amount that is worth at least a pound: $100.00 is £78.90, and £100.00 is $126.74. */
export function exampleOf(currency: string, rate: RateMicros): RateExample {
  const perUnit = 10 ** minorDigits(currency);
  let units = 100;
  while (units < 1e9 && convertToPence(units * perUnit, currency, rate) < 100) units *= 10;
  return {
    unitsMinor: units * perUnit,
    pence: convertToPence(units * perUnit, currency, rate),
    ofHundredMinor: Math.round((100 * perUnit * 1_000_000) / rate),
  };
}

/**
 * What is doubtful about a rate: `inverse`, it is about what the last one is the other way round, as dollars for a pound; `far`, it differs from the last
 * one by more than a fifth.
 */
export type RateDoubt = "inverse" | "far";

/** Returns what is doubtful about a rate beside the last one that is known; null for nothing, or if none is known. */
export function doubtOf(rate: RateMicros, last: RateMicros | null): RateDoubt | null {
  if (last === null || isNear(rate, last)) return null;
  return isNear(rate, 1e12 / last) ? "inverse" : "far";
}

/**
 * Returns by how many per cent a rate may be off because it has at most six decimals; null where it has three digits or more, and the error is half a
 * per cent at most. Of weak currencies, such as the rupiah, a unit is worth few millionths of a pound.
 */
export function roughnessOf(rate: RateMicros): number | null {
  return rate < 100 ? Number((50 / rate).toPrecision(2)) : null;
}

function isNear(rate: number, other: number): boolean {
  return Math.abs(rate - other) <= other * MAX_CHANGE;
}

/** Returns whether a rate's first day is so long ago, or so far ahead, that it is asked about. */
export function farDayOf(validFrom: Date, now: Date): "past" | "ahead" | null {
  const days = (validFrom.getTime() - now.getTime()) / DAY_MS;
  if (days > MAX_AHEAD_DAYS) return "ahead";
  return days < -MAX_PAST_DAYS ? "past" : null;
}

/** A rate as an operator types it: from the beginning of a day in London. */
export const newRateSchema = z.object({
  currency: z.string().refine((code) => foreignCurrencies.includes(code), "Choose a currency."),
  rate: z.string().transform((text, context): RateMicros => {
    const rate = parseRate(text);
    if (rate !== null) return rate;
    context.addIssue("Enter pounds for one unit with at most six decimals, such as 0.789.");
    return z.NEVER;
  }),
  from: z.string().transform((text, context): Date => {
    const day = fromLondon(`${text.trim()}T00:00`);
    if (day !== null && day.getUTCFullYear() >= 2000) return day;
    context.addIssue("Choose the day from which the rate holds, in 2000 or later.");
    return z.NEVER;
  }),
});
