/** The code of a member's link (C8), and what strangers and the club may know of who hands it on. Pure. */

/** Letters and digits that don't look alike. */
const CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
export const CODE_LENGTH = 10;

/** Returns the code of a link, from 40 random bytes: ten letters of 31, about 49 bits. */
export function codeFrom(random: Uint8Array): string {
  // A byte beyond the largest multiple of 31 is skipped, so that all letters are equally likely.
  const even = [...random].filter((byte) => byte < 248).slice(0, CODE_LENGTH);
  if (even.length < CODE_LENGTH) throw new RangeError("A code needs more random bytes.");
  return even.map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join("");
}

/** Returns a typed or linked code in its one form, or null for what can't be one. */
export function readCode(text: string): string | null {
  const code = text.trim().toLowerCase();
  return /^[a-hjkmnp-z2-9]{10}$/.test(code) ? code : null;
}

/**
 * Returns the mailbox behind an e-mail address: without what follows a plus sign and, at Google, without dots. Two
 * addresses of one mailbox belong to one person.
 */
export function mailboxOf(email: string): string {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const box = local.split("+")[0] ?? "";
  const isGoogle = domain === "gmail.com" || domain === "googlemail.com";
  return isGoogle ? `${box.replaceAll(".", "")}@gmail.com` : `${box}@${domain}`;
}

/** Returns the name that a stranger may see: the first word of it, if the member agreed. */
export function shownName({ name, showsFirstName }: { name: string; showsFirstName: boolean }): string | null {
  return showsFirstName ? (name.trim().split(/\s+/)[0] ?? null) : null;
}
