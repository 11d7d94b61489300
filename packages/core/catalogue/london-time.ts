const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const parts = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** A moment as a clock in London shows it; `month` is 1 to 12. */
export interface LondonDate {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const offsets = new Map<number, number>();

export function inLondon(moment: Date): LondonDate {
  const local = new Date(moment.getTime() + offsetFromUtc(moment));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}

/** Returns London's offset from UTC in ms. Cached by the hour, because a list of cards asks hundreds of times. */
function offsetFromUtc(moment: Date): number {
  const hour = Math.floor(moment.getTime() / HOUR_MS);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const start = new Date(hour * HOUR_MS);
  const local = Object.fromEntries(parts.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour: localHour = 0, minute = 0 } = local;
  const offset = Date.UTC(year, month - 1, day, localHour, minute) - start.getTime();
  if (offsets.size > 10_000) offsets.clear();
  offsets.set(hour, offset);
  return offset;
}

/**
 * Returns a moment on the day that names an end. What ends at midnight is over for the whole of the day that begins
 * then, so the last minute of the day before names it.
 */
export function namedEnd(end: Date): Date {
  const { hour, minute } = inLondon(end);
  return hour === 0 && minute === 0 ? new Date(end.getTime() - MINUTE_MS) : end;
}

const words = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/London", dateStyle: "medium", timeStyle: "short" });

/** Returns a moment in London time, for sentences: `30 Nov 2026, 23:59`. */
export function inWords(moment: Date): string {
  return words.format(moment);
}

const format = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/London",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Returns a moment as a field for date and time shows it, in London's time: 2026-11-30T23:59:00. */
export function toLondon(moment: Date): string {
  return format.format(moment).replace(" ", "T");
}

/** Returns the last millisecond of a day in London such as 2026-11-30; null for what is no such day. */
export function endOfLondonDay(day: string): Date | null {
  const lastSecond = fromLondon(`${day}T23:59:59`);
  return lastSecond && new Date(lastSecond.getTime() + 999);
}

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/;

/**
 * Returns the moment of a field for date and time, in London's time; null for what is no such moment. Of an hour that is
 * there twice, in October, the later one.
 */
export function fromLondon(text: string): Date | null {
  const parts = LOCAL.exec(text.trim());
  if (!parts) return null;
  const local = `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6] ?? "00"}`;
  const winter = new Date(`${local}Z`);
  if (Number.isNaN(winter.getTime()) || winter.getUTCFullYear() < 1990 || winter.getUTCFullYear() > 2200) return null;
  return [winter, new Date(winter.getTime() - HOUR_MS)].find((each) => toLondon(each) === local) ?? null;
}
