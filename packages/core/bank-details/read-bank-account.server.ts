import type { BankAccount } from "./bank-account.ts";
import { passesModulusCheck } from "./modulus-check.server.ts";
import { readPayee } from "./rules.ts";

export const MISMATCH =
  "This sort code and account number do not belong together. Check both against your card or your bank’s app.";

/**
 * Reads bank details as they were typed and checks that the account number can exist at the sort code (C6). An error
 * says what to do; a mismatch is reported at both numbers, because either can be the wrong one.
 */
export function readBankAccount(
  typed: (name: string) => string,
): { value: BankAccount; errors: null } | { value: null; errors: Record<string, string> } {
  const read = readPayee(typed);
  if (read.errors) return read;
  if (passesModulusCheck(read.value.sortCode, read.value.accountNumber)) return read;
  return { value: null, errors: { sort_code: MISMATCH, account_number: MISMATCH } };
}
