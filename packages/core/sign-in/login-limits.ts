/**
 * Limits on the rate of login attempts (S1). The delay grows with every wrong try, and accounts are never locked:
 * delays apply to where the tries come from, so an attacker slows down only themselves and not the owner.
 */
export interface TryLimit {
  /** Number of tries without a delay. */
  free: number;
  /** Time without a try after which the count restarts. */
  windowSeconds: number;
  /** The first delay; each further one is twice as long, up to `maxWaitSeconds`. */
  firstWaitSeconds: number;
  maxWaitSeconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export const loginLimits = {
  /** One account from one network address. */
  accountAndAddress: { free: 5, windowSeconds: 15 * MINUTE, firstWaitSeconds: MINUTE, maxWaitSeconds: 15 * MINUTE },
  /** The same while an account is tried from many addresses: each address gets fewer tries. */
  besieged: { free: 2, windowSeconds: 15 * MINUTE, firstWaitSeconds: 2 * MINUTE, maxWaitSeconds: 30 * MINUTE },
  /** One account from all addresses: only counted. */
  account: { free: 2 ** 30, windowSeconds: HOUR, firstWaitSeconds: 0, maxWaitSeconds: 0 },
  /** All accounts from one network address. */
  address: { free: 100, windowSeconds: HOUR, firstWaitSeconds: MINUTE, maxWaitSeconds: 10 * MINUTE },
  /** One account from a browser that its owner has used before: counted separately, whatever others do. */
  knownDevice: { free: 10, windowSeconds: 15 * MINUTE, firstWaitSeconds: 30, maxWaitSeconds: 5 * MINUTE },
  /** Codes of the second step from an unknown browser: six digits withstand fewer guesses than a password. */
  code: { free: 5, windowSeconds: HOUR, firstWaitSeconds: MINUTE, maxWaitSeconds: HOUR },
  /** All codes of an account from unknown browsers, wherever they are. The owner's own browser has a separate count. */
  codesOfAccount: { free: 20, windowSeconds: HOUR, firstWaitSeconds: MINUTE, maxWaitSeconds: 15 * MINUTE },
  /**
   * `mailsTo`: mails of one kind to one mailbox. `mailsFrom`: all mails that one network address or one member causes.
   * Links for a new password have their own rule (password-reset-rules.ts).
   */
  mailsTo: { free: 3, windowSeconds: HOUR, firstWaitSeconds: 15 * MINUTE, maxWaitSeconds: HOUR },
  mailsFrom: { free: 20, windowSeconds: HOUR, firstWaitSeconds: MINUTE, maxWaitSeconds: 15 * MINUTE },
  /** Mails to addresses without an account: one a day each. */
  mailsToStrangers: { free: 1, windowSeconds: 24 * HOUR, firstWaitSeconds: 24 * HOUR, maxWaitSeconds: 24 * HOUR },
} as const satisfies Record<string, TryLimit>;

/** Wrong tries at one account within an hour, from all addresses, from which on the limit `besieged` applies. */
export const SIEGE_TRIES = 30;
