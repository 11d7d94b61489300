/**
 * The rules of every form (seed section 5), without I/O: the browser applies them while a person types, the server when the form arrives.
 * The cases they are held to, on both sides, are in rules.testing.ts.
 */

/** What is appended to the label, or the placeholder, of a field that has an error. */
export const ERROR_MARK = "**";

export const REQUIRED_MESSAGE = "** This is a required field";

/** The messages of a form by the name of the field they are about. */
export type FieldErrors = Record<string, string>;

/** What a browser says of a field: its ValidityState, as far as it matters, and its own message. */
export interface FieldState {
  isValid: boolean;
  isValueMissing: boolean;
  browserMessage: string;
}

/** A field's error: the required message where nothing was entered, otherwise the browser's own; null where all is well. */
export function fieldError({ isValid, isValueMissing, browserMessage }: FieldState): string | null {
  if (isValid) return null;
  return isValueMissing ? REQUIRED_MESSAGE : browserMessage;
}

export function markedLabel(label: string): string {
  return `${label} ${ERROR_MARK}`;
}

/** Longest text of a typed date: DD-MM-YY. */
export const MAX_TYPED_DATE_LENGTH = 8;

/**
 * A date as it stands in its field while it is typed: the day kept within 1 and 31, the month within 1 and 12, dashes put in, at most 8
 * characters. `before` is what stood there: a dash at the end is put in only while the text grows, so that it can be rubbed out.
 */
export function typedDate(text: string, before = ""): string {
  const grows = text.length > before.length;
  const day = takePart(text, 31);
  if (!day.isWhole) return day.text;
  const month = takePart(day.rest, 12);
  if (month.text === "") return endWithDash(day.text, grows || day.rest !== "");
  const head = `${day.text}-${month.text}`;
  if (!month.isWhole) return head;
  const year = month.rest.replace(/\D/g, "");
  if (year === "") return endWithDash(head, grows || month.rest !== "");
  return `${head}-${year.length > 2 ? year.slice(2, 4) : year}`;
}

function endWithDash(text: string, hasDash: boolean): string {
  return hasDash ? `${text}-` : text;
}

/** A day or month from the front of a text. It is whole with two digits, with one that no second can follow, or with something else after it. */
function takePart(text: string, most: number): { text: string; isWhole: boolean; rest: string } {
  const start = text.replace(/^\D+/, "");
  const digits = /^\d{0,2}/.exec(start)?.[0] ?? "";
  const standsAlone = Number(digits[0]) > Math.floor(most / 10);
  const taken = standsAlone ? digits.slice(0, 1) : digits;
  const rest = start.slice(taken.length);
  const isWhole = taken.length === 2 || standsAlone || (taken !== "" && rest !== "");
  return { text: isWhole ? withinBounds(taken, most) : taken, isWhole, rest };
}

function withinBounds(digits: string, most: number): string {
  return String(Math.min(Math.max(Number(digits), 1), most)).padStart(2, "0");
}

/** The pattern of a whole typed date, for the field's own check in the browser; rules such as "no 31 February" come on top. */
export const TYPED_DATE_PATTERN = "(0[1-9]|[12]\\d|3[01])-(0[1-9]|1[0-2])-\\d{2}";

/** A typed date as the calendar has it (2026-11-05), or null where it is none. Two digits mean the year nearest to `today`. */
export function readTypedDate(text: string, today: Date): string | null {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? [];
  if (!day || !month || !year) return null;
  const thisYear = today.getUTCFullYear();
  const century = thisYear - (thisYear % 100) + Number(year);
  const full = [century - 100, century, century + 100].reduce((best, candidate) =>
    Math.abs(candidate - thisYear) < Math.abs(best - thisYear) ? candidate : best,
  );
  return calendarDate(String(full), month, day);
}

/**
 * The text that three selects for day, month and year amount to, DD-MM-YYYY (seed section 3); null where one is missing or the calendar has
 * no such day.
 */
export function dateText({ day, month, year }: { day: string; month: string; year: string }): string | null {
  if (!/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(month) || !/^\d{4}$/.test(year)) return null;
  const [dd, mm] = [day.padStart(2, "0"), month.padStart(2, "0")];
  return calendarDate(year, mm, dd) === null ? null : `${dd}-${mm}-${year}`;
}

/** DD-MM-YYYY as the calendar and the database have it, 2026-11-05; null where it is no such text or no such day. */
export function readDateText(text: string): string | null {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text) ?? [];
  return day && month && year ? calendarDate(year, month, day) : null;
}

function calendarDate(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}
