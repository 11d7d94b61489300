import { REQUIRED_MESSAGE } from "../forms/rules.ts";

/** The parts of the password rule, each of which a person can fix (M3, Y1). */
export type PasswordFault = "too-short" | "too-long" | "no-lowercase" | "no-uppercase" | "no-digit-or-special";

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/**
 * Returns the unmet parts of the password rule, or an empty list: at least 8 characters with a lowercase letter, an
 * uppercase letter, and a digit or special character (M3); at most 128 (Y1). Counts code points, so that one visible
 * character of any script is one.
 */
export function passwordFaults(password: string): PasswordFault[] {
  const length = [...password].length;
  const faults: PasswordFault[] = [];
  if (length < MIN_PASSWORD_LENGTH) faults.push("too-short");
  if (length > MAX_PASSWORD_LENGTH) faults.push("too-long");
  if (!/\p{Ll}/u.test(password)) faults.push("no-lowercase");
  if (!/\p{Lu}/u.test(password)) faults.push("no-uppercase");
  if (!/[^\p{L}\s]/u.test(password)) faults.push("no-digit-or-special");
  return faults;
}

/** The password rule in one sentence, for people who choose a password. */
export const PASSWORD_RULE =
  "At least 8 characters, with a lowercase letter, an uppercase letter, and a digit or special character.";

const partsToAdd: Partial<Record<PasswordFault, string>> = {
  "no-lowercase": "a lowercase letter",
  "no-uppercase": "an uppercase letter",
  "no-digit-or-special": "a digit or special character",
};

/** Returns what to do about a password's faults, in sentences; "" if there are none. */
export function passwordProblem(faults: readonly PasswordFault[]): string {
  if (faults.length === 0) return "";
  const parts = faults.map((fault) => partsToAdd[fault]).filter((part) => part !== undefined);
  const last = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0];
  const sentences = [
    faults.includes("too-short") && `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
    faults.includes("too-long") && `Use at most ${MAX_PASSWORD_LENGTH} characters.`,
    last && `Add ${last}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/**
 * Returns what is wrong with the confirmation of a new password, or null: it has to equal the password and meet the
 * same rule (M3).
 */
export function confirmationFault(confirmation: string, password: string): string | null {
  if (confirmation === "") return REQUIRED_MESSAGE;
  if (confirmation !== password) return "This is not the same as the password above.";
  return passwordProblem(passwordFaults(confirmation)) || null;
}

/**
 * Returns whether a password contains its owner's e-mail address, the part before the @, or the first label of the
 * domain, where that part has at least four characters (Y1).
 */
export function containsEmail(password: string, email: string): boolean {
  const [lower, address] = [password.toLowerCase(), email.trim().toLowerCase()];
  const [local = "", domain = ""] = address.split("@");
  const name = domain.split(".")[0] ?? "";
  return [address, local, name].some((part) => part.length >= 4 && lower.includes(part));
}

export const PASSWORD_HAS_EMAIL = "Leave your e-mail address out of your password.";
export const PASSWORD_IS_COMMON = "Many people use this password, so it is tried first. Choose another.";

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

/**
 * Returns whether a password is one that attackers try first: in `common` as it is, with other signs for letters, or
 * with digits and signs around it. `common` are leaked passwords in lower case.
 */
export function isCommonPassword(password: string, common: ReadonlySet<string>): boolean {
  const lower = password.normalize("NFKC").toLowerCase();
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const withoutYear = lower.replace(/[^\p{L}@$]+$/u, "");
  return [lower, bare, withoutYear].some((text) => common.has(text) || common.has(inLetters(text)));
}

function inLetters(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => spelledWith[sign] ?? sign);
}
