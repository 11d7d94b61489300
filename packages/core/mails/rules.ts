import { retryAfter } from "../due-work/rules.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * When a mail that could not be sent is tried again: nine attempts over about three days, so a mail server that is down
 * over a weekend loses nothing.
 */
export const nextMailAttempt = retryAfter([
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
]);
