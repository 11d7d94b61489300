/**
 * The rules of every form (M3), without I/O: the browser applies them while a person types, and the server to the sent
 * form. The cases for both are in rules.testing.ts.
 */

/** Appended to the label, or the placeholder, of a field with an error. */
export const ERROR_MARK = "**";

export const REQUIRED_MESSAGE = "** This is a required field";

/** The messages of a form, by the name of their field. */
export type FieldErrors = Record<string, string>;

/** A browser's view of a field: the relevant parts of ValidityState, and its message. */
export interface FieldState {
  isValid: boolean;
  isValueMissing: boolean;
  browserMessage: string;
  /** The field's own words for what it takes, where what was typed does not match its pattern; otherwise empty. */
  hint?: string;
}

/**
 * Returns a field's error: the required message if nothing was entered, otherwise the browser's own words, with the field's hint after them
 * unless the browser has put it there itself, as Firefox does; null if it is valid.
 */
export function fieldError({ isValid, isValueMissing, browserMessage, hint = "" }: FieldState): string | null {
  if (isValid) return null;
  if (isValueMissing) return REQUIRED_MESSAGE;
  if (hint === "" || browserMessage.includes(hint)) return browserMessage;
  return `${browserMessage}${/\p{P}$/u.test(browserMessage) ? "" : "."} ${hint}`;
}

export function markedLabel(label: string): string {
  return `${label} ${ERROR_MARK}`;
}

/** Maximum length of a typed date, DD-MM-YY. */
export const MAX_TYPED_DATE_LENGTH = 8;

/**
 * Returns a date as its field shows it while it is typed: the day within 1 and 31, the month within 1 and 12, dashes
 * added, at most 8 characters; of a year with four digits the last two stay. `before` is the previous text: a trailing
 * dash is added only while the text grows, so that it can be deleted, and a whole date takes no further sign before its end.
 */
export function typedDate(text: string, before = ""): string {
  const isOneMore = before.length === MAX_TYPED_DATE_LENGTH && text.length === before.length + 1;
  if (isOneMore && !text.startsWith(before)) return before;
  const grows = text.length > before.length;
  const day = takePart(text, 31);
  if (!day.isWhole) return day.text;
  const month = takePart(day.rest, 12);
  if (month.text === "") return endWithDash(day.text, grows || day.rest !== "");
  const head = `${day.text}-${month.text}`;
  if (!month.isWhole) return head;
  const year = month.rest.replace(/\D/g, "");
  if (year === "") return endWithDash(head, grows || month.rest !== "");
  return `${head}-${shortYear(year)}`;
}

/** A third digit after 19 or 20 begins the two that count; any other year is whole with two. */
function shortYear(digits: string): string {
  return digits.length > 2 && /^(19|20)/.test(digits) ? digits.slice(2, 4) : digits.slice(0, 2);
}

function endWithDash(text: string, hasDash: boolean): string {
  return hasDash ? `${text}-` : text;
}

/**
 * Reads a day or month from the start of a text. It is complete with two digits, with a digit that no second one can
 * follow, or if other text follows.
 */
function takePart(text: string, max: number): { text: string; isWhole: boolean; rest: string } {
  const start = text.replace(/^\D+/, "");
  const digits = /^\d{0,2}/.exec(start)?.[0] ?? "";
  const standsAlone = Number(digits[0]) > Math.floor(max / 10);
  const taken = standsAlone ? digits.slice(0, 1) : digits;
  const rest = start.slice(taken.length);
  const isWhole = taken.length === 2 || standsAlone || (taken !== "" && rest !== "");
  return { text: isWhole ? withinBounds(taken, max) : taken, isWhole, rest };
}

function withinBounds(digits: string, max: number): string {
  return String(Math.min(Math.max(Number(digits), 1), max)).padStart(2, "0");
}

/**
 * The pattern of a complete typed date, for the browser's own check. It does not check the calendar, such as
 * 31 February.
 */
export const TYPED_DATE_PATTERN = "(0[1-9]|[12]\\d|3[01])-(0[1-9]|1[0-2])-\\d{2}";

/** Returns a typed date as 2026-11-05, or null if there is no such day. Two digits mean the year nearest to `today`. */
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
 * Returns the text DD-MM-YYYY of three selects for day, month and year (M3); null if one is missing or there is no
 * such day.
 */
export function dateText({ day, month, year }: { day: string; month: string; year: string }): string | null {
  if (!/^\d{1,2}$/.test(day) || !/^\d{1,2}$/.test(month) || !/^\d{4}$/.test(year)) return null;
  const [dd, mm] = [day.padStart(2, "0"), month.padStart(2, "0")];
  return calendarDate(year, mm, dd) === null ? null : `${dd}-${mm}-${year}`;
}

/** Returns DD-MM-YYYY as 2026-11-05; null for any other text, or if there is no such day. */
export function readDateText(text: string): string | null {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text) ?? [];
  return day && month && year ? calendarDate(year, month, day) : null;
}

function calendarDate(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}
