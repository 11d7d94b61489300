const dateTime = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "Europe/London",
});
const dateOnly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "Europe/London" });

/** A moment in London time: 25 Nov 2026, 18:04. A missing one is a dash. */
export function Moment({ at, isDay = false }: { at: Date | string | null | undefined; isDay?: boolean }) {
  if (at === null || at === undefined) return <span aria-label="none">–</span>;
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{momentText(date, isDay)}</time>;
}

export function momentText(date: Date, isDay = false): string {
  return (isDay ? dateOnly : dateTime).format(date);
}

/** Returns how long ago, in one unit: "3 hours". */
export function ageText(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 60) return counted(minutes, "minute");
  if (minutes < 48 * 60) return counted(Math.floor(minutes / 60), "hour");
  return counted(Math.floor(minutes / 1440), "day");
}

/** Returns a number with its unit: "1 minute", "2,000 minutes". */
export const counted = (count: number, unit: string) =>
  `${count.toLocaleString("en-GB")} ${unit}${count === 1 ? "" : "s"}`;

const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const monthOnly = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** Returns a day of the calendar such as `2026-11-25` for people: 25 Nov; as the first of a month, Nov 2026. */
export function dayText(day: string, step: "day" | "month" = "day"): string {
  return (step === "day" ? dayOnly : monthOnly).format(new Date(`${day}T12:00:00Z`));
}
