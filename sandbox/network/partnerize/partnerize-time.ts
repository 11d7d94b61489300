const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time as Partnerize's reports do: "2020-03-08 17:18:33", local time of the zone that was asked for; null for none. */
export function partnerizeDate(time: number | null, zone: string): string | null {
  if (time === null) return null;
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
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${part["year"]}-${part["month"]}-${part["day"]} ${part["hour"]}:${part["minute"]}:${part["second"]}`;
}

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
