const MINUTE_MS = 60_000;

/** How long an operator's session lasts (OWASP ASVS 5.0 7.3): shorter than a member's, because it opens everybody's data. */
export const operatorSession = {
  /** Without a request. */
  idleMs: 30 * MINUTE_MS,
  /** From the sign-in, used or not. */
  maxMs: 12 * 60 * MINUTE_MS,
  /** From the password to the code. */
  stepMs: 10 * MINUTE_MS,
  /** How often the last use is written. */
  touchMs: MINUTE_MS,
  /** How long a link to choose a password works. */
  linkMs: 3 * 24 * 60 * MINUTE_MS,
} as const;
