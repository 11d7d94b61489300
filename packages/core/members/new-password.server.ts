import { dictionary } from "@zxcvbn-ts/language-common";
import { containsEmail, passwordFaults, passwordHasEmail, passwordIsCommon, passwordProblem } from "./rules.ts";

// 49,000 passwords from leaks, in lower case; too many for a page, so the server alone looks them up (product.md Y1).
const common = new Set(dictionary["passwords-common"]);

const spelledWith: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Whether a password is one that attackers try first: as it is, with other signs for its letters, or with digits and signs around it. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize("NFKC").toLowerCase();
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const withoutYear = lower.replace(/[^\p{L}@$]+$/u, "");
  return [lower, bare, withoutYear].some((text) => common.has(text) || common.has(inLetters(text)));
}

function inLetters(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => spelledWith[sign] ?? sign);
}

/** What is wrong with the password somebody chose for their account, in words, or null. The browser knows all of it but the common ones. */
export function newPasswordFault(password: string, email: string): string | null {
  const problem = passwordProblem(passwordFaults(password));
  if (problem !== "") return problem;
  if (containsEmail(password, email)) return passwordHasEmail;
  return isCommonPassword(password) ? passwordIsCommon : null;
}
