/**
 * The days of a Bacs payment (C6): submitted until 22:30 on a working day, processed on the next, in the account at the
 * start of the one after. Days are texts, `2026-11-23`, in London.
 */

/** Minutes after midnight in London until which Bacs takes files of the same day. */
export const CUT_OFF_MINUTES = 22 * 60 + 30;
/** The same on the clock. */
export const CUT_OFF = "22:30";

export type Day = string;

const london = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

/** Returns the day in London, and the minutes since its midnight by the clock on the wall. */
export function londonTime(moment: Date): { day: Day; minutes: number } {
  const parts = Object.fromEntries(london.formatToParts(moment).map(({ type, value }) => [type, value]));
  return {
    day: `${parts["year"]}-${parts["month"]}-${parts["day"]}`,
    minutes: Number(parts["hour"]) * 60 + Number(parts["minute"]),
  };
}

const DAY_MS = 86_400_000;
const timeOf = (day: Day) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);
const addDays = (day: Day, days: number): Day => dayOf(timeOf(day) + days * DAY_MS);
/** 0 is Sunday. */
const weekdayOf = (day: Day) => new Date(timeOf(day)).getUTCDay();
const onDate = (year: number, month: number, date: number): Day => dayOf(Date.UTC(year, month - 1, date));

/** Days that a royal proclamation added or took away; the gov.uk list of bank holidays names new ones. */
const proclaimed: Readonly<Record<string, { added: readonly Day[]; dropped: readonly Day[] }>> = {
  "2020": { added: ["2020-05-08"], dropped: ["2020-05-04"] },
  "2022": { added: ["2022-06-02", "2022-06-03", "2022-09-19"], dropped: ["2022-05-30"] },
  "2023": { added: ["2023-05-08"], dropped: [] },
};

/** Returns the bank holidays of England and Wales (Banking and Financial Dealings Act 1971, and custom) of a year. */
export function bankHolidays(year: number): Day[] {
  const easter = easterSunday(year);
  const firstMonday = (month: number) => nextMonday(onDate(year, month, 1));
  const lastMonday = (month: number) => addDays(nextMonday(onDate(year, month + 1, 1)), -7);
  const newYear = onDate(year, 1, 1);
  const christmas = onDate(year, 12, 25);
  const christmasDays = [christmas, addDays(christmas, 1)];
  // A holiday at the weekend moves to the next weekday that is not one already.
  const moved = [newYear, ...christmasDays].reduce<Day[]>((taken, day) => {
    let free = day;
    while (isWeekend(free) || taken.includes(free) || (free !== day && christmasDays.includes(free)))
      free = addDays(free, 1);
    return [...taken, free];
  }, []);
  const { added = [], dropped = [] } = proclaimed[String(year)] ?? {};
  const usual = [...moved, addDays(easter, -2), addDays(easter, 1), firstMonday(5), lastMonday(5), lastMonday(8)];
  return [...usual.filter((day) => !dropped.includes(day)), ...added].sort();
}

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm, Meeus, "Astronomical Algorithms", chapter 8). */
function easterSunday(year: number): Day {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  return onDate(year, month, (h + l - 7 * m + 33 * month + 19) % 32);
}

function nextMonday(day: Day): Day {
  return addDays(day, (8 - weekdayOf(day)) % 7);
}

function isWeekend(day: Day): boolean {
  return weekdayOf(day) === 0 || weekdayOf(day) === 6;
}

/** Returns whether Bacs works on a day: Monday to Friday, but for bank holidays. */
export function isWorkingDay(day: Day): boolean {
  return !isWeekend(day) && !bankHolidays(Number(day.slice(0, 4))).includes(day);
}

export function nextWorkingDay(day: Day): Day {
  const next = addDays(day, 1);
  return isWorkingDay(next) ? next : nextWorkingDay(next);
}

/** Returns the last working day before a day: a batch that is processed on it is sent until the cut-off of that day. */
export function sendDay(processingDay: Day): Day {
  const before = addDays(processingDay, -1);
  return isWorkingDay(before) ? before : sendDay(before);
}

export interface BacsDays {
  submissionDay: Day;
  processingDay: Day;
  /** Members have the money at the start of this day. */
  entryDay: Day;
}

/** Returns the days of a file that is made now. After the cut-off it counts as made on the next working day. */
export function bacsDays(now: Date): BacsDays {
  const { day, minutes } = londonTime(now);
  const submissionDay = isWorkingDay(day) && minutes < CUT_OFF_MINUTES ? day : nextWorkingDay(day);
  const processingDay = nextWorkingDay(submissionDay);
  return { submissionDay, processingDay, entryDay: nextWorkingDay(processingDay) };
}

/** Returns whether a day has ended in London. */
export function isOver(day: Day, now: Date): boolean {
  return londonTime(now).day > day;
}
