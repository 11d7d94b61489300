import { slipsBetween } from "../search/rules.ts";

/** A question with its answer, as a brand's members read them (M8). */
export interface Faq {
  slug: string;
  question: string;
  /** Plain text in paragraphs, with the brand's name and address filled in. */
  answer: string;
}

export interface FaqCategory {
  slug: string;
  name: string;
  /** True: lists and the search leave it out. Its address stays for links that lead to it. */
  isHidden: boolean;
  faqs: Faq[];
}

/** Replaces {brand} and {support} with a brand's name and support address. */
export function fillIn(text: string, brand: { name: string; supportEmail: string }): string {
  return text.replaceAll("{brand}", () => brand.name).replaceAll("{support}", () => brand.supportEmail);
}

/** Stop words. */
const noise = new Set(
  "a an and are can do does for how i in is it my of on or the to what when where which who why you your".split(" "),
);

/** Removes accents, case and punctuation, so that "café" and "Cafe," are the same word. */
function wordsOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/**
 * Returns the questions that match what a member typed, best first. Every word but stop words must be in the question or the answer: whole, as a beginning,
 * or with one typo in words of at least four letters. A match in the question counts four times as much as one in the answer.
 */
export function searchFaqs(categories: readonly FaqCategory[], query: string): { category: FaqCategory; faq: Faq }[] {
  const typed = wordsOf(query);
  const meaningful = typed.filter((word) => !noise.has(word));
  const words = meaningful.length > 0 ? meaningful : typed;
  if (words.length === 0) return [];
  return categories
    .filter(({ isHidden }) => !isHidden)
    .flatMap((category) => category.faqs.map((faq) => ({ category, faq, score: scoreOf(faq, words) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ category, faq }) => ({ category, faq }));
}

function scoreOf({ question, answer }: Faq, words: readonly string[]): number {
  const asked = wordsOf(question);
  const said = wordsOf(answer);
  let score = 0;
  for (const word of words) {
    const best = Math.max(4 * likeness(word, asked), likeness(word, said));
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

/** Returns 3 for the word itself, 2 for its beginning, 1 for it with a typo, and 0 without a match. */
function likeness(word: string, found: readonly string[]): number {
  if (found.includes(word)) return 3;
  if (word.length > 2 && found.some((other) => other.startsWith(word))) return 2;
  return word.length > 3 && found.some((other) => slipsBetween(word, other.slice(0, word.length + 1), 1) <= 1) ? 1 : 0;
}
