const format = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** "20 November 2026 at 10:05", as clocks in London have it. */
export function timeInWords(iso: string): string {
  return format.format(new Date(iso));
}
