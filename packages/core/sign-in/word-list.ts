/**
 * A list of words, sorted, each without what it shares with the one before: "0password", then "8s" for "passwords". Packed like this the
 * common passwords are half as large on the wire. No word may hold a line break.
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

/** The words of a packed list. */
export function unpackWords(packed: string): Set<string> {
  let before = "";
  const words = packed.split("\n").map((line) => {
    const shared = Number.parseInt(line.charAt(0), RADIX);
    before = before.slice(0, shared) + line.slice(1);
    return before;
  });
  return new Set(words);
}

/** One digit says how much is shared. */
const RADIX = 36;
const MAX_SHARED = RADIX - 1;

/** The common passwords as browsers get them: without those that have no letter, which the rule for passwords refuses anyway. */
export function browserWordList(common: Iterable<string>): string {
  return packWords([...common].filter((word) => /\p{L}/u.test(word)));
}
