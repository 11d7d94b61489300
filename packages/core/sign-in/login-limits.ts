/**
 * How fast somebody may try to get in (product.md S1). A delay grows with every wrong try and nobody is ever locked out: the delays belong to where the tries
 * come from, so a stranger who hammers an account slows himself down and not its owner.
 */
export interface TryLimit {
  /** Tries after which the delays begin. */
  free: number;
  /** Quiet time after which the count starts anew. */
  windowSeconds: number;
  /** The first delay; each one after it is twice as long, up to the longest. */
  firstWaitSeconds: number;
  maxWaitSeconds: number;
}

const minute = 60;
const hour = 60 * minute;

export const loginLimits = {
  /** One account from one address. */
  accountAndAddress: { free: 5, windowSeconds: 15 * minute, firstWaitSeconds: minute, maxWaitSeconds: 15 * minute },
  /** The same while the account is being tried from many addresses: each of them gets less. */
  besieged: { free: 2, windowSeconds: 15 * minute, firstWaitSeconds: 2 * minute, maxWaitSeconds: 30 * minute },
  /** One account from everywhere: only counted. */
  account: { free: 2 ** 30, windowSeconds: hour, firstWaitSeconds: 0, maxWaitSeconds: 0 },
  /** All accounts from one address. */
  address: { free: 100, windowSeconds: hour, firstWaitSeconds: minute, maxWaitSeconds: 10 * minute },
  /** One account from a browser its owner has used before: counted by itself, whatever others do. */
  knownDevice: { free: 10, windowSeconds: 15 * minute, firstWaitSeconds: 30, maxWaitSeconds: 5 * minute },
  /** Codes of the second step, from a strange browser: six digits bear fewer guesses than a password. */
  code: { free: 5, windowSeconds: hour, firstWaitSeconds: minute, maxWaitSeconds: hour },
  /** All of an account's, from strange browsers wherever they are. Its owner's own browser has a count of its own. */
  codesOfAccount: { free: 20, windowSeconds: hour, firstWaitSeconds: minute, maxWaitSeconds: 15 * minute },
  /** Mails of one kind to one mailbox, and all that one address on the network, or one member, has us send. Links for a new password have a rule of their own. */
  mailsTo: { free: 3, windowSeconds: hour, firstWaitSeconds: 15 * minute, maxWaitSeconds: hour },
  mailsFrom: { free: 20, windowSeconds: hour, firstWaitSeconds: minute, maxWaitSeconds: 15 * minute },
  /** Mails to addresses that have no account: one a day each. */
  mailsToStrangers: { free: 1, windowSeconds: 24 * hour, firstWaitSeconds: 24 * hour, maxWaitSeconds: 24 * hour },
} as const satisfies Record<string, TryLimit>;

/** Wrong tries at one account within an hour, from everywhere, from which on it counts as besieged. */
export const SIEGE_TRIES = 30;
