import { zoneOffset } from "../zone-time.ts";

/** Formats a time as Partnerize's reports do: "2020-03-08 17:18:33", local time of the zone that was asked for; null for none. */
export function partnerizeDate(time: number | null, zone: string): string | null {
  if (time === null) return null;
  return new Date(time + zoneOffset(time, zone)).toISOString().slice(0, 19).replace("T", " ");
}

export function isZone(zone: string): boolean {
  try {
    zoneOffset(0, zone);
    return true;
  } catch {
    return false;
  }
}
