import type { FunnelCounts } from "./report-view.ts";

export const noCounts: FunnelCounts = {
  ...{ views: 0, redemptions: 0, reveals: 0, clicks: 0 },
  ...{ tracked: 0, confirmed: 0, salePence: 0, cashbackPence: 0 },
};

export function addCounts(one: FunnelCounts, other: FunnelCounts): FunnelCounts {
  return {
    views: one.views + other.views,
    redemptions: one.redemptions + other.redemptions,
    reveals: one.reveals + other.reveals,
    clicks: one.clicks + other.clicks,
    tracked: one.tracked + other.tracked,
    confirmed: one.confirmed + other.confirmed,
    salePence: one.salePence + other.salePence,
    cashbackPence: one.cashbackPence + other.cashbackPence,
  };
}

/** Returns a share of a step in percent, rounded to one decimal: `12.5`; null where the step before is 0. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1_000) / 10;
}

/** Returns the day in London at a moment, as `2026-11-25`. */
export function londonDayOf(moment: Date): string {
  return london.format(moment);
}

const london = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London" });

/** Returns whether a text is a day of the calendar, as `2026-11-25`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
