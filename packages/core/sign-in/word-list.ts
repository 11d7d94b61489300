/**
 * Packs a list of words: sorted, each without the prefix that it shares with the one before; "0password", then "8s" for
 * "passwords". Halves the transfer size of the common passwords. Words must not contain a line break.
 */
export function packWords(words: Iterable<string>): string {
  let before = "";
  const lines = [...words].sort().map((word) => {
    let shared = 0;
    while (shared < MAX_SHARED && shared < before.length && word[shared] === before[shared]) shared += 1;
    before = word;
    return shared.toString(RADIX) + word.slice(shared);
  });
  return lines.join("\n");
}

/** Returns the words of a packed list. */
export function unpackWords(packed: string): Set<string> {
  let before = "";
  const words = packed.split("\n").map((line) => {
    const shared = Number.parseInt(line.charAt(0), RADIX);
    before = before.slice(0, shared) + line.slice(1);
    return before;
  });
  return new Set(words);
}

/** The length of the shared prefix is one digit. */
const RADIX = 36;
const MAX_SHARED = RADIX - 1;

/**
 * Returns the packed common passwords for browsers, without those that have no letter, which the password rule
 * refuses anyway.
 */
export function browserWordList(common: Iterable<string>): string {
  return packWords([...common].filter((word) => /\p{L}/u.test(word)));
}
