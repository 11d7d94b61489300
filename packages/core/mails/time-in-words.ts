const format = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** Returns a moment in London time: "20 November 2026 at 10:05". */
export function timeInWords(iso: string): string {
  return format.format(new Date(iso));
}
