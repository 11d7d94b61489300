/**
 * Chooses the words to search for (D2) from the words that the database knows and that resemble what was typed. Pure.
 */

import { isLikelySlip, isSwap } from "./keyboard.ts";
import { sameThings } from "./same-things.ts";

const saidWords = new Set(sameThings.map(([said]) => said));

/** An indexed word, and its lexeme. */
export interface KnownWord {
  word: string;
  lexeme: string;
  /** The singular of a candidate that is written as a plural. */
  singular?: string | null;
  /** Number of documents that contain it. */
  occurrences: number;
  /** Whether the brand shows so many offers with it that a search for it alone counts no further. */
  isCommon: boolean;
}

/** A typed word (folded), with what the database knows about it. */
export interface TypedWord {
  word: string;
  /** The lexemes of the word itself; none for a stop word such as "the". */
  lexemes: string[];
  /** Whether the index has one of the lexemes. */
  isKnown: boolean;
  /** As of a known word. */
  isCommon: boolean;
  /** As of a known word; zero for a word that is not known. */
  occurrences: number;
  /** Words that begin with it; read for the last word only, which may be unfinished. */
  completions: KnownWord[];
  /** Words that may be one typo away. */
  neighbours: KnownWord[];
  /** The nearest words by trigrams, for longer words with more than one typo. */
  resembling: KnownWord[];
  /** Where the word was typed as two: as it was typed. */
  spaced?: string;
}

/** One term of the search: a document must contain one of its alternatives. `corrects`: the typed word is not among them. */
export interface Term {
  typed: string;
  alternatives: KnownWord[];
  corrects: boolean;
}

/**
 * Returns the Damerau-Levenshtein distance in its optimal-alignment form: letters added, missing, changed, or two neighbours swapped. Returns
 * `limit + 1` for any distance above `limit`.
 */
export function slipsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return Math.min(last[b.length]!, limit + 1);
}

/** Returns a typed word as itself, once for each of its lexemes. */
export function asTyped({ word, lexemes, isCommon, occurrences }: TypedWord): KnownWord[] {
  return lexemes.map((lexeme) => ({ word, lexeme, isCommon, occurrences }));
}

const MAX_ALTERNATIVES = 6;
/** With this many documents further alternatives are not needed: no visitor turns that many pages. */
const ENOUGH_DOCUMENTS = 3_000;

/** Words shorter than this are never corrected: every word of two letters is near another. */
const SHORTEST_CORRECTED = 3;
/** In words up to this length another first letter makes another word: Nike is no bike. */
const SHORT_WORD = 4;
/** In shorter words swapped first letters do too: dad is not add. */
const SHORTEST_SWAPPED = 4;

/** Whether a typo may have made one word into the other. */
const isCredible = (typed: string, word: string) =>
  typed.length >= SHORTEST_CORRECTED &&
  !isNumber(word) &&
  (typed.length > SHORT_WORD || word[0] === typed[0] || (typed.length >= SHORTEST_SWAPPED && isSwap(typed, word)));

/** The word as it is written and in the singular: a member types one where shops write many. */
const formsOf = ({ word, singular }: KnownWord) => (singular ? [word, singular] : [word]);

/**
 * Returns words one typo away from `typed`, as they are written or in the singular: those with the same first letter first (typos there are rare), then, of
 * a short word, those whose typo the keys explain, then the most common.
 */
export function nearWords(typed: string, candidates: readonly KnownWord[], limit = 1): KnownWord[] {
  return candidates
    .map((known) => ({
      known,
      slips: Math.min(
        ...formsOf(known)
          .filter((form) => isCredible(typed, form))
          .map((form) => slipsBetween(typed, form, limit)),
      ),
      first: known.word[0] === typed[0],
      likely: typed.length <= SHORT_WORD && formsOf(known).some((form) => isLikelySlip(typed, form)),
    }))
    .filter(({ known, slips }) => slips <= limit && !formsOf(known).includes(typed))
    .sort(
      (a, b) =>
        a.slips - b.slips ||
        Number(b.first) - Number(a.first) ||
        Number(b.likely) - Number(a.likely) ||
        b.known.occurrences - a.known.occurrences,
    )
    .map(({ known }) => known);
}

/** A price, a size or a model: another number is another thing, not a typo. */
const isNumber = (word: string) => /^\d+$/.test(word);

/** Two typos are corrected in words of at least this length. */
const LONG_WORD = 7;

/**
 * Returns the terms to search for. A known word stands for itself, an unknown last word for the words that begin with it, and any other unknown word for
 * the words one typo away, or two for a long word. Words that remain unknown are left out, and `dropped` is then true. Where one is left out and shorter
 * words alone are left, each guessed, or words about saving, there are no terms: "john lewis" is a shop that is not here, a "lawn mower" is nothing "lower",
 * and an "asda code" is no other code. Stop words are skipped, unless
 * nothing else was typed.
 */
export function chooseTerms(typed: readonly TypedWord[]): { terms: Term[]; dropped: boolean } {
  const words = meaningful(typed);
  const chosen = words.map(chooseTerm).filter((term) => term !== null);
  // With several words, the others decide.
  const terms = decisive(words).length === 1 ? chosen.map(withoutDoubtful) : chosen;
  const dropped = terms.length < words.length;
  const isGuess =
    dropped && terms.every(({ corrects, typed: word }) => saysNoThing(word) || (corrects && word.length < LONG_WORD));
  return { terms: isGuess ? [] : terms, dropped };
}

/** The words without stop words, unless nothing else was typed. */
function meaningful(typed: readonly TypedWord[]): readonly TypedWord[] {
  const words = typed.filter(({ lexemes, isKnown }) => lexemes.length > 0 || isKnown);
  return words.length > 0 ? words : typed.slice(-1);
}

/** The words that say what is meant, or all where none does: a voucher for Nike is not for "nine". */
function decisive(words: readonly TypedWord[]): readonly TypedWord[] {
  const deciding = words.filter(({ word }) => !saysNoThing(word));
  return deciding.length > 0 ? deciding : words;
}

function chooseTerm(typed: TypedWord): Term | null {
  const term = findTerm(typed);
  return term && typed.spaced !== undefined ? { ...term, typed: typed.spaced, corrects: true } : term;
}

function findTerm(typed: TypedWord): Term | null {
  if (typed.isKnown)
    return {
      typed: typed.word,
      alternatives: asTyped(typed),
      corrects: false,
    };
  if (typed.completions.length > 0) {
    // An unfinished and a misspelt word look alike ("bok" begins "boks" and is near "book"): both are searched for.
    return {
      typed: typed.word,
      alternatives: enough([...typed.completions, ...nearWords(typed.word, typed.neighbours).slice(0, 3)]),
      corrects: false,
    };
  }
  return correct(typed);
}

/** Whether it is a word, though the catalogue has neither it nor what it means: "cookies" are no "cookers". */
const isWord = (typed: string) => saidWords.has(typed);

function correct(typed: TypedWord): Term | null {
  const words = corrections(typed);
  return words.length === 0
    ? null
    : { typed: typed.word, alternatives: enough(words).slice(0, MAX_ALTERNATIVES), corrects: true };
}

/** Every word that may be meant by an unknown one, best first. */
function corrections(typed: TypedWord): KnownWord[] {
  if (isNumber(typed.word) || isWord(typed.word)) return [];
  const all = nearWords(typed.word, typed.neighbours);
  const swapped = all.filter((known) => formsOf(known).some((form) => isSwap(typed.word, form)));
  const near = swapped.length > 0 ? swapped : all;
  return near.length > 0 || typed.word.length < LONG_WORD ? near : nearWords(typed.word, typed.resembling, 2);
}

/** In words up to this length a changed first letter is doubtful: Argos sells no cargo. */
const FIRST_LETTER_WORD = 6;

/**
 * Returns the words that may be meant, best first, where a single word is unknown and its correction is doubtful, so that one of them is asked and not
 * searched for: Nike is no "nine". Numbers and words about saving beside it do not count. It is doubtful in a short word, and where the first letter changes
 * in one that is hardly longer, unless the keys explain the slip. There are more than would be searched for, because a brand may lack what others have most.
 */
export function doubtfulTerm(typed: readonly TypedWord[]): Term | null {
  const [word, ...others] = decisive(meaningful(typed));
  const term = word && others.length === 0 ? chooseTerm(word) : null;
  if (!word || !term?.corrects || term.typed.includes(" ")) return null;
  return term.alternatives.every((known) => isDoubtful(term.typed, known))
    ? { ...term, alternatives: distinct(corrections(word)).slice(0, MAX_ALTERNATIVES) }
    : null;
}

function isDoubtful(typed: string, known: KnownWord): boolean {
  const isFar = ({ length }: string, first: boolean) => length <= SHORT_WORD || (length <= FIRST_LETTER_WORD && !first);
  return formsOf(known).every((form) => isFar(typed, form[0] === typed[0]) && !isLikelySlip(typed, form));
}

/** Returns a correction without its doubtful alternatives, unless all are: "bok" is a "book", no "box". */
function withoutDoubtful(term: Term): Term {
  const certain = term.alternatives.filter((known) => !isDoubtful(term.typed, known));
  return term.corrects && certain.length > 0 ? { ...term, alternatives: certain } : term;
}

/** Whether a word cannot be searched for as it is: it would be corrected or left out. */
const isUnknown = (typed: TypedWord) => {
  if (typed.lexemes.length === 0) return false;
  const term = chooseTerm(typed);
  return term === null || term.corrects;
};

/** Returns neighbouring words written as one where one of them cannot be searched for: names are typed with a space that they don't have. */
export function joinNeighbours(typed: readonly TypedWord[]): string[] {
  return typed.flatMap((word, index) => {
    const next = typed[index + 1];
    return next && (isUnknown(word) || isUnknown(next)) ? [word.word + next.word] : [];
  });
}

/** Returns all neighbouring words written as one, for when they find nothing as they were typed: "take away" is "takeaway". */
export function pairNeighbours(typed: readonly TypedWord[]): string[] {
  return typed.slice(1).map(({ word }, index) => typed[index]!.word + word);
}

/** Returns the typed words with neighbours replaced by the word that they make, where it is among `known` or begins a known word. */
export function withJoined(typed: readonly TypedWord[], known: readonly TypedWord[]): TypedWord[] {
  const words: TypedWord[] = [];
  for (let index = 0; index < typed.length; index += 1) {
    const [word, next] = [typed[index]!, typed[index + 1]];
    const joined = next && known.find((one) => one.word === word.word + next.word);
    const isFound = joined && (joined.isKnown || (index + 2 === typed.length && joined.completions.length > 0));
    words.push(isFound ? { ...joined, spaced: `${word.word} ${next.word}` } : word);
    if (isFound) index += 1;
  }
  return words;
}

/**
 * Returns wider terms, for when the first found nothing: every word may also be one typo away or unfinished, because a typo can turn one known word into
 * another ("boots" into "boats").
 */
export function widenTerms(typed: readonly TypedWord[]): Term[] {
  return typed
    .map((word): Term | null => {
      const alternatives = distinct([
        ...(word.isKnown ? asTyped(word) : []),
        ...(isNumber(word.word) ? [] : nearWords(word.word, word.neighbours).slice(0, MAX_ALTERNATIVES)),
        ...word.completions,
      ]);
      return alternatives.length === 0 || (word.lexemes.length === 0 && !word.isKnown)
        ? null
        : { typed: word.word, alternatives, corrects: !word.isKnown };
    })
    .filter((term) => term !== null);
}

/**
 * Returns whether the best result has one of the words as it was typed. Where each of several known words had to become another ("mens watch" a "menu match"),
 * nothing that was asked for is left. `found` are the lexemes of the best result.
 */
export function keepsAWord(terms: readonly Term[], found: ReadonlySet<string>): boolean {
  if (terms.length < 2) return true;
  return terms.some(({ typed, alternatives }) =>
    alternatives.some(({ word, lexeme }) => found.has(lexeme) && word.startsWith(typed)),
  );
}

/** Words about saving in general: nearly every offer is meant, and few say them. */
const SAVING_WORDS = /^(discounts?|vouchers?|coupons?|codes?|promos?|deals?|offers?|cheap(er|est)?|bargains?)$/;

/** Whether a typed word is a number (a price: "phone under £200") or about saving in general. */
const saysNoThing = (typed: string) => isNumber(typed) || SAVING_WORDS.test(typed);

/** The terms that were neither guessed nor are numbers or about saving in general. */
export function essentialTerms(terms: readonly Term[]): Term[] {
  return terms.filter(({ typed, corrects }) => !corrects && !saysNoThing(typed));
}

/** With more terms than this, each is tried alone: the number of choices stays bounded. */
const MANY_TERMS = 6;

/**
 * Returns what to search for where all terms together find nothing, the longest first: the essential terms, these without one of them, and each of them
 * alone. None is returned where all terms were guessed.
 */
export function fewerTerms(terms: readonly Term[]): Term[][] {
  const essential = essentialTerms(terms);
  const choices = essential.length < terms.length && essential.length > 0 ? [essential] : [];
  if (essential.length < 2) return choices;
  if (essential.length > 2 && essential.length <= MANY_TERMS)
    choices.push(...essential.map((one) => essential.filter((other) => other !== one)));
  return [...choices, ...essential.map((one) => [one])];
}

/** For whom a thing is says less than what it is: the first word to be left out. */
const FOR_WHOM =
  /^(mens?|man|male|gents?|gentlemens?|womens?|woman|female|lad(y|ies)|boys?|girls?|kids?|child|childrens?|adults?|unisex)$/;

/**
 * Returns the choice that answers best, or null where none finds anything: of the longest, one that says what the thing is, of these the one that finds
 * most, and of equals that with the last word ("wedding ring" is a ring). `counts`: the offers of each choice.
 */
export function bestChoice(choices: readonly Term[][], counts: readonly number[]): Term[] | null {
  const forWhom = (terms: readonly Term[]) => terms.filter(({ typed }) => FOR_WHOM.test(typed)).length;
  const [best] = choices
    .map((terms, index) => ({ terms, count: counts[index] ?? 0, index }))
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) =>
        b.terms.length - a.terms.length ||
        forWhom(a.terms) - forWhom(b.terms) ||
        b.count - a.count ||
        // Those without one term begin with the one that lacks the first.
        (a.terms.length > 1 ? a.index - b.index : b.index - a.index),
    );
  return best?.terms ?? null;
}

/** Returns the best alternative, and others as long as the number of documents stays below the limit. */
function enough(words: readonly KnownWord[]): KnownWord[] {
  let documents = 0;
  return distinct(
    words.filter(({ occurrences }, index) => {
      if (index > 0 && documents + occurrences > ENOUGH_DOCUMENTS) return false;
      documents += occurrences;
      return true;
    }),
  );
}

function distinct(words: readonly KnownWord[]): KnownWord[] {
  const seen = new Set<string>();
  return words.filter(({ lexeme }) => !seen.has(lexeme) && seen.add(lexeme));
}

/** Returns whether the terms are one that finds more offers than are counted: one of its alternatives is common. */
export function isCommon(terms: readonly Term[]): boolean {
  return terms.length === 1 && terms[0]!.alternatives.some((alternative) => alternative.isCommon);
}

/** A term is rare with at most this many documents: reading their rows takes less time than intersecting lists of common words. */
const RARE_DOCUMENTS = 1_000;

/**
 * Returns the two rarest terms where the rarest is rare, for the index: the few rows that they leave are then checked for the other terms. Null where the
 * index is asked for all of them.
 */
export function rarestTerms(terms: readonly Term[]): Term[] | null {
  if (terms.length <= 2) return null;
  const documents = ({ alternatives }: Term) => alternatives.reduce((sum, { occurrences }) => sum + occurrences, 0);
  const [rarest, next] = terms.toSorted((a, b) => documents(a) - documents(b));
  return documents(rarest!) <= RARE_DOCUMENTS ? [rarest!, next!] : null;
}

/** Returns the terms as text for a cast to tsquery, with lexemes quoted, so that none contains an operator. Null without terms. */
export function toTsquery(terms: readonly Term[], weights = ""): string | null {
  if (terms.length === 0) return null;
  const quote = (lexeme: string) =>
    `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'${weights && `:${weights}`}`;
  return terms
    .map(({ alternatives }) => `(${alternatives.map(({ lexeme }) => quote(lexeme)).join(" | ")})`)
    .join(" & ");
}

/** Returns a query that finds the same as `tsquery`, and ranks what has the preferred terms too above the rest. */
export function preferring(tsquery: string, prefer: readonly Term[]): string {
  return [tsquery, ...prefer.map((term) => `(${tsquery} & ${toTsquery([term])!})`)].join(" | ");
}

/** Returns the words that were typed and not searched for, as typed. Stop words ("and") are not counted. */
export function wordsLeftOut(typed: readonly TypedWord[], terms: readonly Term[]): string[] {
  const searched = new Set(terms.map((term) => term.typed));
  return typed
    .filter(({ lexemes, isKnown }) => lexemes.length > 0 || isKnown)
    .map(({ word, spaced }) => spaced ?? word)
    .filter((word) => !searched.has(word));
}

/**
 * Returns the words of "Showing results for …", or null where the words were searched for as typed. `found` are the lexemes of the best result: of several
 * corrections, the one that it contains is named.
 */
export function describeCorrection(
  terms: readonly Term[],
  { dropped, found }: { dropped: boolean; found: ReadonlySet<string> },
): string | null {
  const words = terms.map(({ typed, alternatives, corrects }) => {
    const hit = alternatives.find(({ lexeme }) => found.has(lexeme)) ?? alternatives[0]!;
    const changed = corrects || !hit.word.startsWith(typed);
    return { changed: changed && hit.word !== typed, word: changed ? hit.word : typed };
  });
  return dropped || words.some(({ changed }) => changed) ? words.map(({ word }) => word).join(" ") : null;
}
