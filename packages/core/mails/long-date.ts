const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Europe/London" });

/** Returns the day of a moment in words: 5 December 2026. */
export function longDate(moment: string): string {
  return format.format(new Date(moment));
}
