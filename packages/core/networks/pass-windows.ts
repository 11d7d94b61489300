/** Which windows of a network's report are read next (C2), by what has been covered. Pure. */

export interface Window {
  from: Date;
  to: Date;
}

/** What is stored of a pass. */
export interface PassRecord {
  /** All that was in the report by then under a date before then was read. */
  coveredUntil: Date;
  /** Whatever was reported before this moment, up to a month late, is known; null: unknown. */
  lateCoveredAt: Date | null;
  /** The look for late sales that is under way: when it began, and the date up to which it has read. Null: none. */
  look: { beganAt: Date; readUntil: Date } | null;
  /** When the next look begins, or the one under way goes on. Null: now. */
  lateDueAt: Date | null;
}

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How late a network may report a sale under the date it was made, and how far back the first reading goes. */
export const REACH_MS = 31 * DAY_MS;
/** A look that failed without reading a page is repeated after this time, so that a page that always fails does not use up the limit of calls. */
const RETRY_LATE_MS = HOUR_MS;

const minus = (moment: Date, ms: number) => new Date(moment.getTime() - ms);
const earlier = (a: Date, b: Date) => (a < b ? a : b);

/** Returns the record of a pass that has read nothing. Its first window is a month long, so it looks for late sales from the next day on. */
export function newPass(now: Date): PassRecord {
  return { coveredUntil: minus(now, REACH_MS), lateCoveredAt: now, look: null, lateDueAt: nextDay(now) };
}

/**
 * Returns what is read now, and the record as it is from now on. `recent` begins an hour before the end of what is covered, for sales that are filed a
 * little late. `late` holds older dates, whose sales may have been reported since the last complete look. After a look that failed, it begins where that
 * look stopped. Null: not due.
 */
export function windowsOf(stored: PassRecord, now: Date): { recent: Window; late: Window | null; record: PassRecord } {
  // Nothing is covered beyond the present: a clock that was ahead hides no sales once it is right again.
  const coveredUntil = earlier(stored.coveredUntil, now);
  const lateCoveredAt = stored.lateCoveredAt && earlier(stored.lateCoveredAt, now);
  const recent = { from: minus(coveredUntil, HOUR_MS), to: now };
  const lateDueAt = stored.lateDueAt && earlier(stored.lateDueAt, nextDay(now));
  const kept = { coveredUntil, lateCoveredAt, lateDueAt };
  if (lateDueAt && lateDueAt > now) return { recent, late: null, record: { ...kept, look: stored.look } };
  const look = stored.look ?? { beganAt: now, readUntil: minus(lateCoveredAt ?? coveredUntil, REACH_MS) };
  const late = { from: minus(look.readUntil, HOUR_MS), to: recent.from };
  // After a long outage the recent window covers the whole month itself; the look comes after it.
  if (late.from >= late.to) return { recent, late: null, record: { ...kept, look: stored.look } };
  return { recent, late, record: { ...kept, look } };
}

/** Returns when a look goes on that has read no page. One that has read a part goes on with the next run of the pass. */
export function lateRetryAt(now: Date): Date {
  return new Date(now.getTime() + RETRY_LATE_MS);
}

/** Returns the start of the next day (UTC), when the next look is due. */
export function nextDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}
