import { REQUIRED_MESSAGE } from "../forms/rules.ts";
import { commonPasswords } from "./common-passwords.server.ts";
import {
  containsEmail,
  isCommonPassword,
  passwordFaults,
  PASSWORD_HAS_EMAIL,
  PASSWORD_IS_COMMON,
  passwordProblem,
} from "./rules.ts";

/** Returns what is wrong with a new password, in words for its owner, or null. The browser applies the same rules. */
export function newPasswordFault(password: string, email: string): string | null {
  if (password === "") return REQUIRED_MESSAGE;
  const problem = passwordProblem(passwordFaults(password));
  if (problem !== "") return problem;
  if (containsEmail(password, email)) return PASSWORD_HAS_EMAIL;
  return isCommonPassword(password, commonPasswords) ? PASSWORD_IS_COMMON : null;
}
