/**
 * Returns a name without characters that nobody sees: direction marks, zero-width and private ones. The joiners U+200C and U+200D stay, which some
 * scripts need within a word.
 */
export function cleanName(typed: string): string {
  return typed
    .normalize("NFC")
    .replaceAll(/(?![\u200C\u200D])[\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, "")
    .replaceAll(/\p{Zs}+/gu, " ")
    .trim();
}

/** Whether a name has a letter that a person can read. */
export const hasLetter = (name: string): boolean => /\p{L}/u.test(name);
