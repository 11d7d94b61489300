import { calendarDays, clock, dayAndMonth } from "../text/british-dates.ts";

/**
 * Returns when a notice holds, in London's time: `from 22:00 on 30 November until 2:00 on 1 December`, `until 4:00`. A part that is null is left
 * out; the day is left out where it is today.
 */
export function noticeTimes({ since, until }: { since: Date | null; until: Date | null }, now: Date): string {
  const at = (moment: Date) =>
    `${clock(moment)}${calendarDays(moment, now) === 0 ? "" : ` on ${dayAndMonth(moment, now)}`}`;
  return [...(since ? [`from ${at(since)}`] : []), ...(until ? [`until ${at(until)}`] : [])].join(" ");
}
