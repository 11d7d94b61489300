/** The time zones that Awin's report accepts. */
export const reportTimeZones = [
  "Europe/Berlin",
  "Europe/Paris",
  "Europe/London",
  "Europe/Dublin",
  "Canada/Eastern",
  "Canada/Central",
  "Canada/Mountain",
  "Canada/Pacific",
  "US/Eastern",
  "US/Central",
  "US/Mountain",
  "US/Pacific",
  "UTC",
] as const;

export type ReportTimeZone = (typeof reportTimeZones)[number];

export function isReportTimeZone(text: string): text is ReportTimeZone {
  return (reportTimeZones as readonly string[]).includes(text);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the zone's offset from UTC at a moment, in milliseconds. @throws RangeError for a zone that does not exist */
export function zoneOffset(time: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
  return shown - Math.floor(time / 1000) * 1000;
}

/**
 * Formats a time as the report does: local time of the zone, no offset, and whole minutes (every published sample ends in ":00",
 * while lapseTime has the seconds). So a report's transactionDate can be up to 59 s before the push's.
 */
export function reportDateTime(time: number, zone: ReportTimeZone): string {
  const local = new Date(time + zoneOffset(time, zone)).toISOString();
  return `${local.slice(0, 16)}:00`;
}

/** Formats a time as the push does: "2026-11-20 09:31:07". Its zone is not documented; this uses UTC. */
export function pushDateTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}

/** Reads the report's startDate or endDate (yyyy-MM-ddThh:mm:ss in the zone's local time); null if it is invalid. */
export function parseReportDateTime(text: string, zone: ReportTimeZone): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text)) return null;
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  const firstGuess = asUtc - zoneOffset(asUtc, zone);
  return asUtc - zoneOffset(firstGuess, zone);
}
