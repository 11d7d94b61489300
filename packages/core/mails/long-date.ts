const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Europe/London" });

/** A moment as a day in words: 5 December 2026. */
export function longDate(moment: string): string {
  return format.format(new Date(moment));
}
