/**
 * The index's list of words in the memory of a process (D2): what search_words_of_query reads, without a statement. Pure.
 */

import { stem } from "porter2";
import type { KnownWord, TypedWord } from "./rules.ts";
import { isStopWord } from "./stop-words.ts";

/** A row of search_words. */
export interface ListedWord {
  word: string;
  lexeme: string;
  singular: string | null;
  occurrences: number;
  /** The brands at which the word is common. */
  commonBrandIds: readonly string[];
}

/** What is read about the words of a query. As the parameters of search_words_of_query. */
export interface WordsAsked {
  brandId: string;
  query: string;
  wide: boolean;
  completeKnown: boolean;
  withPairs: boolean;
  maxWords: number;
  maxCompletions: number;
  maxCandidates: number;
}

export interface ReadWords {
  typed: TypedWord[];
  /** What two neighbours make if they are written as one, where that is known or, at the end, begins a known word. */
  pairs: TypedWord[];
}

/** Longer words are cut, as the index cuts them. */
const MAX_LENGTH = 40;
/** Shorter words resemble too many others. */
const SHORTEST_RESEMBLING = 7;
const MAX_RESEMBLING = 8;
/** pg_trgm.similarity_threshold, which the operator % uses. */
const SIMILARITY = 0.3;
/** The list is built in parts of this many words, a millisecond or two each, so that requests are answered meanwhile. */
const WORDS_A_PART = 1_000;

/** The numbers of words by keys of theirs, in two arrays: where the numbers of each key start, and the numbers. */
class Postings {
  readonly #starts: Uint32Array;
  readonly #numbers: Uint32Array;

  private constructor(starts: Uint32Array, numbers: Uint32Array) {
    this.#starts = starts;
    this.#numbers = numbers;
  }

  /** Returns the postings of words by `keysOf`, whose keys are below `keys`. */
  static async build(keys: number, keysOf: (word: ListedWord) => Iterable<number>, each: EachWord): Promise<Postings> {
    const ends = new Uint32Array(keys);
    await each((word) => {
      for (const key of keysOf(word)) ends[key]! += 1;
    });
    const starts = new Uint32Array(keys + 1);
    for (let key = 0; key < keys; key += 1) {
      starts[key + 1] = starts[key]! + ends[key]!;
      ends[key] = starts[key]!;
    }
    const numbers = new Uint32Array(starts[keys]!);
    await each((word, number) => {
      for (const key of keysOf(word)) numbers[ends[key]!++] = number;
    });
    return new Postings(starts, numbers);
  }

  of(key: number): Uint32Array {
    return this.#numbers.subarray(this.#starts[key]!, this.#starts[key + 1]!);
  }
}

/** The slips of 100,000 offers' words are some 500,000. */
const SLIP_BITS = 18;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
/** Space, letters, digits, and one for all else. */
const SYMBOLS = LETTERS.length + 2;

/** Calls a function with each word and its number, and lets others work between the parts of the list. */
type EachWord = (work: (word: ListedWord, number: number) => void) => Promise<void>;

export class WordList {
  /** In the order of their letters: the number of a word is its place. */
  readonly #words: readonly ListedWord[];
  readonly #numbers = new Map<string, number>();
  /** One of the words of each lexeme: they have the same number of documents, and are common at the same brands. */
  readonly #lexemes = new Map<string, number>();
  readonly #slips: Postings;
  readonly #trigrams: Postings;
  readonly #trigramCounts: Uint8Array;
  /** Trigrams in common with the word that is compared; zeros between comparisons. */
  readonly #shared: Uint8Array;

  private constructor(words: readonly ListedWord[], slips: Postings, trigrams: Postings) {
    this.#words = words;
    this.#slips = slips;
    this.#trigrams = trigrams;
    this.#trigramCounts = new Uint8Array(words.length);
    this.#shared = new Uint8Array(words.length);
  }

  /** Returns a list of the words. `pause` is awaited between the parts of the work. */
  static async build(listed: readonly ListedWord[], pause: () => Promise<unknown>): Promise<WordList> {
    const words = listed.toSorted((a, b) => (a.word < b.word ? -1 : 1));
    const each: EachWord = async (work) => {
      for (const [number, word] of words.entries()) {
        if (number % WORDS_A_PART === 0) await pause();
        work(word, number);
      }
    };
    const list = new WordList(
      words,
      await Postings.build(2 ** SLIP_BITS, ({ word, singular }) => slipKeys(word, singular), each),
      await Postings.build(SYMBOLS ** 3, ({ word }) => trigramsOf(word), each),
    );
    await each(({ word, lexeme }, number) => {
      list.#numbers.set(word, number);
      if (!list.#lexemes.has(lexeme)) list.#lexemes.set(lexeme, number);
      list.#trigramCounts[number] = trigramsOf(word).size;
    });
    return list;
  }

  /**
   * Returns what search_words_of_query returns, or null for a query of which only the database knows the words: with other letters or signs than fold knows,
   * or with a word such as "5e3".
   */
  read(asked: WordsAsked): ReadWords | null {
    const folded = fold(asked.query);
    if (folded === null) return null;
    const parts = folded === "" ? [] : folded.split(" ");
    const words = parts.slice(0, asked.maxWords).map((part) => part.slice(0, MAX_LENGTH));
    const typed = words.map((word, place) => this.#typed(word, place === words.length - 1, asked));
    const pairs = asked.withPairs ? this.#pairs(parts, asked) : [];
    return typed.includes(null) || pairs.includes(null)
      ? null
      : { typed: typed as TypedWord[], pairs: pairs as TypedWord[] };
  }

  #typed(word: string, isLast: boolean, { brandId, wide, completeKnown, ...max }: WordsAsked): TypedWord | null {
    const known = this.#known(word, brandId);
    if (known === null) return null;
    const { isKnown } = known;
    return {
      ...known,
      completions: isLast && (!isKnown || wide || completeKnown) ? this.#completions(word, brandId, max) : [],
      neighbours: !isKnown || wide ? this.#neighbours(word, brandId, max) : [],
      resembling: !isKnown && word.length >= SHORTEST_RESEMBLING ? this.#resembling(word, brandId) : [],
    };
  }

  #pairs(parts: readonly string[], { brandId, completeKnown, maxWords, ...max }: WordsAsked): (TypedWord | null)[] {
    const count = Math.min(parts.length - 1, maxWords);
    const pairs: (TypedWord | null)[] = [];
    for (let place = 0; place < count; place += 1) {
      const word = (parts[place]!.slice(0, MAX_LENGTH) + parts[place + 1]!.slice(0, MAX_LENGTH)).slice(0, MAX_LENGTH);
      const known = this.#known(word, brandId);
      if (known === null) return [null];
      const completes = place === count - 1 && (!known.isKnown || completeKnown);
      const completions = completes ? this.#completions(word, brandId, max) : [];
      if (known.isKnown || completions.length > 0)
        pairs.push({ ...known, completions, neighbours: [], resembling: [] });
    }
    return pairs;
  }

  #known(
    word: string,
    brandId: string,
  ): Pick<TypedWord, "word" | "lexemes" | "isKnown" | "isCommon" | "occurrences"> | null {
    const lexemes = lexemesOf(word);
    if (lexemes === null) return null;
    const number = this.#lexemes.get(lexemes[0] ?? "") ?? this.#numbers.get(word);
    if (number === undefined) return { word, lexemes, isKnown: false, isCommon: false, occurrences: 0 };
    const { lexeme, occurrences, commonBrandIds } = this.#words[number]!;
    return {
      word,
      // Another word for the same thing has its lexeme.
      lexemes: lexemes[0] === lexeme ? lexemes : [lexeme],
      isKnown: true,
      isCommon: commonBrandIds.includes(brandId),
      occurrences,
    };
  }

  /** The most common words that begin so. */
  #completions(start: string, brandId: string, { maxCompletions }: Pick<WordsAsked, "maxCompletions">): KnownWord[] {
    const best: number[] = [];
    for (let number = this.#firstFrom(start); number < this.#words.length; number += 1) {
      if (!this.#words[number]!.word.startsWith(start)) break;
      this.#keep(best, number, maxCompletions);
    }
    return best.map((number) => this.#view(number, brandId));
  }

  /** The number of the first word that does not come before `start`. */
  #firstFrom(start: string): number {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#words[middle]!.word < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Words one slip apart, as they are written or in the singular. */
  #neighbours(word: string, brandId: string, { maxCandidates }: Pick<WordsAsked, "maxCandidates">): KnownWord[] {
    const best: number[] = [];
    const seen = new Set<number>();
    for (const key of slipKeys(word, null))
      for (const number of this.#slips.of(key)) {
        if (seen.has(number)) continue;
        seen.add(number);
        const { word: other, singular } = this.#words[number]!;
        if (sharesSlip(word, other) || (singular !== null && sharesSlip(word, singular)))
          this.#keep(best, number, maxCandidates);
      }
    return best.map((number) => ({ ...this.#view(number, brandId), singular: this.#words[number]!.singular }));
  }

  /** Inserts a word's number among the most common, of which `max` are kept; the alphabet decides between equals. */
  #keep(best: number[], number: number, max: number): void {
    const occurrences = (of: number) => this.#words[of]!.occurrences;
    const isBefore = (other: number) =>
      occurrences(number) > occurrences(other) || (occurrences(number) === occurrences(other) && number < other);
    if (best.length === max && !isBefore(best[max - 1]!)) return;
    let place = best.length;
    while (place > 0 && isBefore(best[place - 1]!)) place -= 1;
    best.splice(place, 0, number);
    if (best.length > max) best.pop();
  }

  /** The words with most trigrams in common, as pg_trgm counts them. */
  #resembling(word: string, brandId: string): KnownWord[] {
    const trigrams = trigramsOf(word);
    const shared = this.#shared;
    const touched: number[] = [];
    for (const trigram of trigrams)
      for (const number of this.#trigrams.of(trigram)) if (shared[number]!++ === 0) touched.push(number);
    const alike: { number: number; similarity: number }[] = [];
    for (const number of touched) {
      const common = shared[number]!;
      shared[number] = 0;
      const similarity = common / (trigrams.size + this.#trigramCounts[number]! - common);
      if (similarity >= SIMILARITY) alike.push({ number, similarity });
    }
    return alike
      .sort((a, b) => b.similarity - a.similarity || a.number - b.number)
      .slice(0, MAX_RESEMBLING)
      .map(({ number }) => ({ ...this.#view(number, brandId), singular: this.#words[number]!.singular }));
  }

  #view(number: number, brandId: string): KnownWord {
    const { word, lexeme, occurrences, commonBrandIds } = this.#words[number]!;
    return { word, lexeme, occurrences, isCommon: commonBrandIds.includes(brandId) };
  }
}

/** As search_fold, for text of ASCII and of the signs that people and keyboards add to it; null for other text. */
function fold(text: string): string | null {
  const plain = text.replace(/['’‘`]/g, "").replace(/[£€“”–—…]/g, " ");
  if (/\P{ASCII}/u.test(plain)) return null;
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

/**
 * Returns a word's lexemes in the text search configuration `farthing`: its stem, none for a stop word; null where the database's parser would have to be
 * asked what it is. checkStems compares them with the database's.
 */
export function lexemesOf(word: string): string[] | null {
  if (/^[a-z]+$/.test(word)) return isStopWord(word) ? [] : [stemOf(word)];
  return UNSTEMMED.test(word) ? [word] : null;
}

/** Numbers, and words with digits in them. Not what may be read as a number with an exponent ("5e3") or of another base. */
const UNSTEMMED = /^(?:\d{1,15}|[a-z]+[a-z0-9]*|\d{1,15}[a-df-wyz][a-z]*)$/;

/** PostgreSQL's Snowball keeps the double letter of "adding" and "erred", as of "add" and "err"; the library's version does not. */
const DOUBLED = /^([aeo]([bdfgmnprt])\2)(?:ed|ing|edly|ingly)s?$/;

function stemOf(word: string): string {
  return DOUBLED.exec(word)?.[1] ?? stem(word);
}

/** Returns the keys under which a word's slips, and those of its singular, are kept: of the word itself and of it without each of its letters. */
function slipKeys(word: string, singular: string | null): Set<number> {
  const keys = new Set<number>();
  for (const form of singular === null ? [word] : [word, singular])
    for (let without = -1; without < form.length; without += 1) keys.add(slipKey(form, without));
  return keys;
}

/** FNV-1a. */
function slipKey(word: string, without: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1)
    if (at !== without) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> SLIP_BITS)) & (2 ** SLIP_BITS - 1);
}

/** Whether two words, or what is left of each without one letter, are the same: one is the other with a letter missing, added, changed or swapped. */
function sharesSlip(a: string, b: string): boolean {
  if (a === b) return true;
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let first = 0;
  while (first < short.length && long[first] === short[first]) first += 1;
  if (long.length > short.length) return long.slice(first + 1) === short.slice(first);
  let last = long.length - 1;
  while (long[last] === short[last]) last -= 1;
  const between = (word: string, from: number, to: number) => word.slice(from, to);
  return (
    between(long, first + 1, last + 1) === between(short, first, last) ||
    between(long, first, last) === between(short, first + 1, last + 1)
  );
}

/** Returns the trigrams of a word, with two spaces before and one after, as numbers. */
function trigramsOf(word: string): Set<number> {
  const trigrams = new Set<number>();
  let [before, last] = [0, 0];
  for (const letter of `${word} `) {
    const symbol = letter === " " ? 0 : LETTERS.indexOf(letter) + 1 || SYMBOLS - 1;
    trigrams.add((before * SYMBOLS + last) * SYMBOLS + symbol);
    [before, last] = [last, symbol];
  }
  return trigrams;
}
