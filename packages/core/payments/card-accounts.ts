import type { PartnerMode } from "../partners/mode.ts";
import type { CardProvider } from "./provider.ts";

/**
 * The accounts at the card provider, by what they can do; null where one is not set up. `test` never takes money. Where
 * the deployment itself has a test key only (dev, staging), both are the same account.
 */
export type CardAccounts = Readonly<Record<PartnerMode, CardProvider | null>>;

/** Neither account: payments are not set up. */
export const noCardAccounts: CardAccounts = { live: null, test: null };

/** Thrown where a payment's account is not set up (any more). */
export class NoCardAccountError extends Error {
  constructor(mode: PartnerMode) {
    super(`There is no card account for ${mode} payments.`);
    this.name = "NoCardAccountError";
  }
}

/** Returns the account for a payment. @throws NoCardAccountError */
export function accountFor(accounts: CardAccounts, mode: PartnerMode): CardProvider {
  const account = accounts[mode];
  if (!account) throw new NoCardAccountError(mode);
  return account;
}

/** Returns whose payments an account settles: one mode's; null where it is both accounts. */
export function modeOf(accounts: CardAccounts, account: CardProvider): PartnerMode | null {
  if (accounts.live === accounts.test) return null;
  return account === accounts.test ? "test" : "live";
}
