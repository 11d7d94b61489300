const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Makes one typo in one word of `text`, chosen by `random`: a letter is omitted, added or changed, or two neighbours are swapped. Only words of four letters or
 * more change, and never a digit: 16% instead of 15% is another offer, not a typo.
 */
export function misspell(text: string, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const words = [...text.matchAll(/[A-Za-z]{4,}/g)];
  const word = words[below(words.length)];
  if (!word) return text;
  const at = word.index + below(word[0].length);
  const letter = LETTERS[below(26)]!;
  const slips = [
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + letter + text.slice(at),
    () => text.slice(0, at) + letter + text.slice(at + 1),
    () => {
      const left = Math.min(at, word.index + word[0].length - 2);
      return text.slice(0, left) + text[left + 1] + text[left] + text.slice(left + 2);
    },
  ];
  const slipped = slips[below(slips.length)]!();
  return slipped.toLowerCase() === text.toLowerCase() ? misspell(text, random) : slipped;
}
