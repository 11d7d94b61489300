const DAY_MS = 86_400_000;

/** Returns a moment as Awin writes it, in UTC: "2026-11-20T00:00:00+00:00". */
export function awinInstant(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}+00:00`;
}

export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** Returns the last second of the day that is `days` from now. */
export function endOfDay(now: Date, days: number): Date {
  const day = daysFrom(now, days);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 23, 59, 59));
}
