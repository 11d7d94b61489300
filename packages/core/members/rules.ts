/** The parts of the password rule, each a thing a person can put right (seed section 5, product.md Y1). */
export type PasswordFault = "too-short" | "too-long" | "no-lowercase" | "no-uppercase" | "no-digit-or-special";

export const shortestPassword = 8;
export const longestPassword = 128;

/**
 * What is wrong with a new password: nothing, or each unmet part of the rule. At least 8 characters with a lowercase letter, an uppercase
 * letter, and a digit or special character (seed section 5); at most 128 (Y1). Characters are counted as people see them in any script.
 */
export function passwordFaults(password: string): PasswordFault[] {
  const length = [...password].length;
  const faults: PasswordFault[] = [];
  if (length < shortestPassword) faults.push("too-short");
  if (length > longestPassword) faults.push("too-long");
  if (!/\p{Ll}/u.test(password)) faults.push("no-lowercase");
  if (!/\p{Lu}/u.test(password)) faults.push("no-uppercase");
  if (!/[^\p{L}\s]/u.test(password)) faults.push("no-digit-or-special");
  return faults;
}

export function isAcceptablePassword(password: string): boolean {
  return passwordFaults(password).length === 0;
}
