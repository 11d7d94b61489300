const minute = 60_000;

/** How long after each failed try the next one comes: a mail server that is down over a weekend loses nobody a mail. */
const waitsMs = [
  minute,
  5 * minute,
  15 * minute,
  60 * minute,
  4 * 60 * minute,
  12 * 60 * minute,
  24 * 60 * minute,
  24 * 60 * minute,
];

/** When a mail that failed `attempts` times is tried again; null: given up. */
export function nextMailTry(attempts: number, now: Date): Date | null {
  const wait = waitsMs[attempts - 1];
  return wait === undefined ? null : new Date(now.getTime() + wait);
}
