const MINUTE_MS = 60_000;

/** Delays after each failed attempt. Together they outlast a mail server that is down over a weekend. */
const waitsMs = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  60 * MINUTE_MS,
  4 * 60 * MINUTE_MS,
  12 * 60 * MINUTE_MS,
  24 * 60 * MINUTE_MS,
  24 * 60 * MINUTE_MS,
];

/** Returns when a mail that failed `attempts` times is sent again; null: never. */
export function nextMailTry(attempts: number, now: Date): Date | null {
  const wait = waitsMs[attempts - 1];
  return wait === undefined ? null : new Date(now.getTime() + wait);
}
