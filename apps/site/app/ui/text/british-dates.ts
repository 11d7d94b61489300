import { inLondon, namedEnd } from "@farthing/core/catalogue/london-time.ts";
import { MONTH_NAMES } from "@farthing/ui/forms/month-names.ts";

/**
 * Dates as people in Britain write them, in London time. Not by Intl, because server and browser must produce the
 * same text.
 */

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns `3 December 2026`. */
export function longDate(moment: Date): string {
  const { year, month, day } = inLondon(moment);
  return `${day} ${MONTH_NAMES[month - 1]} ${year}`;
}

/** Returns `December 2026`. */
export function monthAndYear(moment: Date): string {
  const { year, month } = inLondon(moment);
  return `${MONTH_NAMES[month - 1]} ${year}`;
}

/** Returns `3 December`, with the year where it is not the current one. */
export function dayAndMonth(moment: Date, now: Date): string {
  const { year, month, day } = inLondon(moment);
  return inLondon(now).year === year ? `${day} ${MONTH_NAMES[month - 1]}` : `${day} ${MONTH_NAMES[month - 1]} ${year}`;
}

/**
 * Returns `3 to 9 December`, `28 November to 3 December`, `20 December 2026 to 4 January 2027`, or one day where both
 * are the same.
 */
export function dateRange(from: Date, to: Date, now: Date): string {
  const start = inLondon(from);
  const end = inLondon(to);
  if (start.year !== end.year) return `${longDate(from)} to ${longDate(to)}`;
  if (start.month !== end.month) return `${start.day} ${MONTH_NAMES[start.month - 1]} to ${dayAndMonth(to, now)}`;
  if (start.day !== end.day) return `${start.day} to ${dayAndMonth(to, now)}`;
  return dayAndMonth(to, now);
}

/** Returns the whole days of London's calendar from `now` to `moment`, negative for the past. */
export function calendarDays(moment: Date, now: Date): number {
  return Math.round((midnight(moment) - midnight(now)) / 86_400_000);
}

function midnight(moment: Date): number {
  const { year, month, day } = inLondon(moment);
  return Date.UTC(year, month - 1, day);
}

/** Returns a past day as `today`, `yesterday` or `on 18 November`. */
export function pastDay(moment: Date, now: Date): string {
  const days = calendarDays(now, moment);
  if (days <= 0) return "today";
  return days === 1 ? "yesterday" : `on ${dayAndMonth(moment, now)}`;
}

/**
 * Returns when an offer ends, for its card: `Ends today at 17:00`, `Ends on Friday`, `Ends 3 December`. Null beyond two
 * weeks and for what is over.
 */
export function endsSoon(endsAt: Date | null, now: Date): string | null {
  if (!endsAt || endsAt <= now) return null;
  const end = namedEnd(endsAt);
  const days = calendarDays(end, now);
  if (days > 14) return null;
  return `Ends ${nearDay(end, days, now)}`;
}

/** Returns the same for the offer's own page, at any distance: `Ends 3 December 2027`, `Ended 1 November 2026`. */
export function endsWhen(endsAt: Date, now: Date): string {
  const end = namedEnd(endsAt);
  const days = calendarDays(end, now);
  return `${endsAt <= now ? "Ended" : "Ends"} ${days >= 0 && days <= 14 ? nearDay(end, days, now) : longDate(end)}`;
}

/**
 * Returns a moment to wait for: `14:36 today`, `09:10 tomorrow`, `09:10 on 3 December`. Rounded up to the minute, so
 * that it is never too early.
 */
export function soonAt(moment: Date, now: Date): string {
  const shown = new Date(Math.ceil(moment.getTime() / 60_000) * 60_000);
  const days = calendarDays(shown, now);
  return `${clock(shown)} ${days <= 0 ? "today" : days === 1 ? "tomorrow" : `on ${dayAndMonth(shown, now)}`}`;
}

function nearDay(moment: Date, days: number, now: Date): string {
  if (days === 0) return `today at ${clock(moment)}`;
  if (days === 1) return `tomorrow at ${clock(moment)}`;
  if (days < 7) return `on ${WEEKDAYS[new Date(midnight(moment)).getUTCDay()]}`;
  return dayAndMonth(moment, now);
}

/** Returns `14:32:05`. */
export function clockTime(moment: Date): string {
  return `${clock(moment)}:${String(moment.getUTCSeconds()).padStart(2, "0")}`;
}

/** Returns `14:32`, in London. */
export function clock(moment: Date): string {
  const { hour, minute } = inLondon(moment);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
