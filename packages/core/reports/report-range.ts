import { addDays } from "../telemetry/rules.ts";
import { isDay } from "./rules.ts";

/** Days that one report reads at most: three years. */
export const MAX_RANGE_DAYS = 1_096;

export type ReadRange =
  | { ok: true; from: string; to: string }
  | { ok: false; faults: Partial<Record<"from" | "to", string>> };

/**
 * Returns the days of a report from what was typed: `from` and `to` as `2026-11-25`, both included. What is left out is the
 * last `defaultDays` days until `today`.
 */
export function readRange(
  typed: { from: string; to: string },
  { today, defaultDays }: { today: string; defaultDays: number },
): ReadRange {
  const faults: Partial<Record<"from" | "to", string>> = {};
  for (const name of ["from", "to"] as const)
    if (typed[name] !== "" && !isReportDay(typed[name]))
      faults[name] = `${name === "from" ? "From" : "To"} is not a day. Give one such as ${today}.`;
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  const to = typed.to || (typed.from > today ? typed.from : today);
  const from = typed.from || addDays(to, 1 - defaultDays);
  if (from > to) return { ok: false, faults: { to: "To is before From. Give the earlier day first." } };
  if (addDays(from, MAX_RANGE_DAYS) <= to)
    return { ok: false, faults: { from: "That is more than three years. Choose a later day." } };
  return { ok: true, from, to };
}

/** Days of other centuries are typing errors, and reach the limits of calendars. */
function isReportDay(text: string): boolean {
  return isDay(text) && text >= "2000-01-01" && text <= "2199-12-31";
}
