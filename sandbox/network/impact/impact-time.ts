/** Impact writes an account's dates in the account's zone, with the offset of that moment: it changes with daylight saving. */
const ZONE = "America/Los_Angeles";

const format = new Intl.DateTimeFormat("en-GB", {
  timeZone: ZONE,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "longOffset",
});

/** Formats a time: "2021-04-25T02:07:45-07:00". An absent time is empty text, as Impact writes it. */
export function impactDate(time: number | null): string {
  if (time === null) return "";
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const offset = (part["timeZoneName"] ?? "").replace("GMT", "") || "+00:00";
  return `${part["year"]}-${part["month"]}-${part["day"]}T${part["hour"]}:${part["minute"]}:${part["second"]}${offset}`;
}

/** Reads a filter's date, ISO 8601 with an offset or Z; null if it is invalid. */
export function parseImpactDate(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
