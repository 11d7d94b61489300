/** A UK bank account that money is paid to. */
export interface BankAccount {
  name: string;
  /** Six digits. */
  sortCode: string;
  /** Eight digits. */
  accountNumber: string;
}

/** How long nothing is paid to an account after a member has named it (C6): whoever lost control can stop it. */
export const HOLD_MS = 72 * 60 * 60 * 1000;

export function isSameAccount(one: BankAccount, other: BankAccount): boolean {
  return one.name === other.name && one.sortCode === other.sortCode && one.accountNumber === other.accountNumber;
}

/** Returns "ending in" digits: enough for its owner to recognise the account. */
export function endingOf({ accountNumber }: Pick<BankAccount, "accountNumber">): string {
  return accountNumber.slice(-4);
}
