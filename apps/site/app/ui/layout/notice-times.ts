import { calendarDays, clock, dayAndMonth } from "../text/british-dates.ts";

/**
 * Returns when a notice holds, in London's time: `from 22:00 today until 02:00 on 1 December`, `from 01:00 until 04:00 on 1 December`, `until 04:00`. A part that is
 * null is left out. The day is said once where it is the same, and left out where that is today.
 */
export function noticeTimes({ since, until }: { since: Date | null; until: Date | null }, now: Date): string {
  const isToday = (moment: Date) => calendarDays(moment, now) === 0;
  const day = (moment: Date) => (isToday(moment) ? " today" : ` on ${dayAndMonth(moment, now)}`);
  const end = until && `until ${clock(until)}${isToday(until) ? "" : day(until)}`;
  if (!since) return end ?? "";
  if (!until) return `from ${clock(since)}${isToday(since) ? "" : day(since)}`;
  if (calendarDays(since, until) === 0) return `from ${clock(since)} ${end}`;
  return `from ${clock(since)}${day(since)} until ${clock(until)}${day(until)}`;
}
