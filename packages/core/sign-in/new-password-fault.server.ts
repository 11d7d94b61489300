import { commonPasswords } from "./common-passwords.server.ts";
import {
  containsEmail,
  isCommonPassword,
  passwordFaults,
  passwordHasEmail,
  passwordIsCommon,
  passwordProblem,
} from "./rules.ts";

/** What is wrong with the password somebody chose for their account, in words, or null. The browser knows the same rules. */
export function newPasswordFault(password: string, email: string): string | null {
  const problem = passwordProblem(passwordFaults(password));
  if (problem !== "") return problem;
  if (containsEmail(password, email)) return passwordHasEmail;
  return isCommonPassword(password, commonPasswords) ? passwordIsCommon : null;
}
