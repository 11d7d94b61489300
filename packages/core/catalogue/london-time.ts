const format = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/London",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Returns a moment as a field for date and time shows it, in London's time: 2026-11-30T23:59:00. */
export function toLondon(moment: Date): string {
  return format.format(moment).replace(" ", "T");
}

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/;
const HOUR_MS = 3_600_000;

/**
 * Returns the moment of a field for date and time, in London's time; null for what is no such moment. Of an hour that is
 * there twice, in October, the later one.
 */
export function fromLondon(text: string): Date | null {
  const parts = LOCAL.exec(text.trim());
  if (!parts) return null;
  const local = `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6] ?? "00"}`;
  const winter = new Date(`${local}Z`);
  if (Number.isNaN(winter.getTime()) || winter.getUTCFullYear() < 1990 || winter.getUTCFullYear() > 2200) return null;
  return [winter, new Date(winter.getTime() - HOUR_MS)].find((each) => toLondon(each) === local) ?? null;
}
