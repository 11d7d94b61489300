import { REQUIRED_MESSAGE } from "../forms/rules.ts";
import { cleanName } from "../members/clean-name.ts";
import type { BankAccount } from "./bank-account.ts";

/**
 * Reads bank details as they were typed, with spaces and dashes. It does not check whether the account exists, which
 * only the bank knows.
 */
export function readPayee(
  typed: (name: string) => string,
): { value: BankAccount; errors: null } | { value: null; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const name = cleanName(typed("payee_name"));
  const sortCode = digitsOf(typed("sort_code"));
  const accountNumber = digitsOf(typed("account_number"));
  if (name === "") errors["payee_name"] = REQUIRED_MESSAGE;
  else if ([...name].length > 70 || /[\p{Cc}\p{Cs}]/u.test(name)) errors["payee_name"] = "Use at most 70 letters.";
  if (sortCode === "") errors["sort_code"] = REQUIRED_MESSAGE;
  else if (sortCode === null || !/^\d{6}$/.test(sortCode) || /^0+$/.test(sortCode))
    errors["sort_code"] = "A sort code has six digits, like 20-00-00.";
  if (accountNumber === "") errors["account_number"] = REQUIRED_MESSAGE;
  else if (accountNumber === null || !/^\d{8}$/.test(accountNumber) || /^0+$/.test(accountNumber))
    errors["account_number"] = "An account number has eight digits. If yours is shorter, put zeros in front.";
  if (sortCode === null || accountNumber === null || Object.keys(errors).length > 0) return { value: null, errors };
  return { value: { name, sortCode, accountNumber }, errors: null };
}

/** Returns a sort code as banks print it: 20-00-00. */
export function sortCodeInPairs(sortCode: string): string {
  return sortCode.replace(/^(..)(..)(..)$/, "$1-$2-$3");
}

function digitsOf(text: string): string | null {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, "");
  return /^[0-9]*$/.test(digits) ? digits : null;
}
