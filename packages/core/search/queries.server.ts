import type { Db } from "@farthing/db/client.ts";
import type { OfferFilter, SearchPage } from "../catalogue/catalogue-view.ts";
import { countPages, OFFERS_PER_PAGE } from "../catalogue/rules.ts";
import { findMeant } from "./find-meant.server.ts";
import { findNames, findSuggestions, type Suggestions } from "./find-names.server.ts";
import { countChoices, findOffers, MAX_COUNTED, type FoundOffers } from "./find-offers.server.ts";
import {
  asTyped,
  bestChoice,
  chooseTerms,
  describeCorrection,
  doubtfulTerm,
  essentialTerms,
  fewerTerms,
  isCommon,
  joinNeighbours,
  keepsAWord,
  pairNeighbours,
  preferring,
  rarestTerms,
  toTsquery,
  widenTerms,
  withJoined,
  wordsLeftOut,
  type Term,
  type TypedWord,
} from "./rules.ts";
import { cleanQuery } from "./schema.ts";
import {
  databaseWords,
  lookUpWords,
  lookUpWordsAndPairs,
  type LookUpOptions,
  type WordReader,
} from "./words.server.ts";

const SUGGESTED_OFFERS = 5;
/** Of more matches, suggestions are the most popular. */
const MAX_RANKED = 100;
/** In words. */
const MAX_NAME_LENGTH = 5;

interface Search {
  brandId: string;
  now: Date;
  /** Any text; it is cleaned here too. */
  query: string;
  sort: SearchPage["sort"];
  page: number;
  /** Filters the offers; retailers and categories are found by the words alone. */
  filter?: OfferFilter | undefined;
  /** The page of a search for retailers alone; by default those that stand above the offers. */
  retailerPage?: number | undefined;
}

/**
 * Returns what a brand's visitors find for any text (D2): retailers, categories and one page of offers, with typos corrected and the correction named.
 * No text makes it throw. `total` is the number of offers, exact up to MAX_COUNTED; retailers and categories are on the first page only. A page beyond
 * the last returns the last. `words`: by default the database's.
 */
export async function searchCatalogue(
  db: Db,
  { query: raw, ...search }: Search,
  words: WordReader = databaseWords(db),
): Promise<SearchPage> {
  const query = cleanQuery(raw);
  const { brandId, now, sort, retailerPage } = search;
  const empty: SearchPage = {
    query,
    corrected: null,
    didYouMean: null,
    leftOut: [],
    sort,
    page: 1,
    pageCount: 1,
    total: 0,
    totalIsMinimum: false,
    kinds: null,
    retailers: [],
    retailerTotal: 0,
    retailersAreMore: false,
    retailerPage: 1,
    retailerPageCount: 1,
    stopped: null,
    categories: [],
    offers: [],
  };
  if (query === "") return empty;
  const typed = await readWords(words, { brandId, query });
  if (typed.length === 0) return empty;
  const doubtful = doubtfulTerm(typed);
  if (doubtful !== null) return { ...empty, ...(await askBack(db, { brandId, now, query, doubtful, retailerPage })) };
  const { terms, dropped, named, ...found } = await findMatchingOffers(db, { ...search, query, typed, words });
  // A page beyond the last is answered with another, which may be the first.
  if (found.page > 1) return { ...empty, ...found };
  // Searching for similar names is worth its cost where the words found little and the text is short enough for a name.
  const includeAlike = (found.total <= OFFERS_PER_PAGE || dropped) && typed.length <= MAX_NAME_LENGTH;
  const names = await findNames(db, {
    brandId,
    now,
    query: named,
    tsquery: toTsquery(terms),
    nameTsquery: toTsquery(terms, "A"),
    includeAlike,
    retailerPage,
    // Where the words found what they say, they are no name of a retailer that is not here.
    stoppedName: found.total === 0 || found.corrected !== null ? query : null,
  });
  return { ...empty, ...found, ...names };
}

/**
 * Returns what a page without offers asks back: the word that may be meant, where the brand has it, or else retailers with similar names; and a retailer of
 * the typed name that has stopped.
 */
async function askBack(
  db: Db,
  { doubtful, ...search }: Pick<Search, "brandId" | "now" | "query" | "retailerPage"> & { doubtful: Term },
): Promise<Partial<SearchPage>> {
  const didYouMean = await findMeant(db, { ...search, doubtful });
  const names = await findNames(db, {
    ...search,
    tsquery: null,
    nameTsquery: null,
    includeAlike: didYouMean === null,
    stoppedName: search.query,
  });
  return didYouMean === null ? names : { didYouMean, stopped: names.stopped };
}

/** Looks up the words of a query. Names that were typed with a space are one word. */
async function readWords(words: WordReader, options: LookUpOptions): Promise<TypedWord[]> {
  const { typed, pairs } = await lookUpWordsAndPairs(words, options);
  const joined = joinNeighbours(typed);
  return withJoined(
    typed,
    pairs.filter(({ word }) => joined.includes(word)),
  );
}

type OfferPart = Pick<
  SearchPage,
  "corrected" | "leftOut" | "page" | "pageCount" | "total" | "totalIsMinimum" | "kinds" | "offers"
> & {
  terms: Term[];
  dropped: boolean;
  /** The text that retailers' names are compared with. */
  named: string;
};

/**
 * Returns the matching offers, and the words that found them. It searches for the chosen words first. Where they find nothing, it tries in turn neighbours
 * that make one known word ("take away"), wider alternatives, and fewer of the known words. An answer that has lost a word is not corrected too.
 */
async function findMatchingOffers(
  db: Db,
  { typed, page, words, ...search }: Search & { typed: TypedWord[]; words: WordReader },
): Promise<OfferPart> {
  const { terms, dropped } = chooseTerms(typed);
  const first = await findAt(db, { ...search, terms, page });
  const nothing = toPart(first, { query: search.query, typed, terms, dropped });
  if (first.total > 0) return nothing;
  // The words have matches outside the filter: other words would be wrong.
  if (search.filter && (await findAt(db, { ...search, filter: undefined, terms, page: 1 })).total > 0) return nothing;
  // The neighbours of unknown words have been read already.
  if (!typed.some(({ isKnown }) => isKnown)) return nothing;
  const { joined, wide } = await lookUpWider(words, { ...search, typed });
  if (joined !== null) {
    const chosen = { query: search.query, typed: joined, ...chooseTerms(joined) };
    const found = await findAt(db, { ...search, terms: chosen.terms, page });
    if (found.total > 0) return toPart(found, chosen);
  }
  const wider = widenTerms(wide);
  if (!dropped && wider.length >= terms.length) {
    const found = await findAt(db, { ...search, terms: wider, page });
    if (found.total > 0 && keepsAWord(wider, found.found))
      return toPart(found, { query: search.query, typed, terms: wider, dropped });
  }
  const fewer = await chooseFewer(db, { brandId: search.brandId, now: search.now, terms });
  if (fewer === null) return nothing;
  const leftOut = terms.filter((term) => !fewer.includes(term));
  const prefer = leftOut.filter(({ corrects }) => !corrects);
  const found = await findAt(db, { ...search, terms: fewer, prefer, page });
  const part = toPart(found, { query: search.query, typed, terms: fewer, dropped: true });
  // A word of a shop's name may be among those left out: "sorrel coat" resembles "Sorrel & Dune".
  return essentialTerms(leftOut).length > 0 ? { ...part, named: search.query } : part;
}

/** Reads the neighbours of known words, and the words that neighbouring words make. */
async function lookUpWider(
  read: WordReader,
  { brandId, query, typed }: { brandId: string; query: string; typed: TypedWord[] },
): Promise<{ joined: TypedWord[] | null; wide: TypedWord[] }> {
  const pairs = pairNeighbours(typed);
  // The last typed word stays the last, which may be unfinished.
  const words = await lookUpWords(read, {
    brandId,
    query: [...pairs, query].join(" "),
    wide: true,
    more: pairs.length,
  });
  const known = words.slice(0, pairs.length).filter(({ isKnown }) => isKnown);
  return { joined: known.length === 0 ? null : withJoined(typed, known), wide: words.slice(pairs.length) };
}

/**
 * Returns the terms that answer best where all together find nothing, or null where no fewer do. It takes one statement, or none where there is no choice.
 * A shop that has all the words answers them, with or without offers.
 */
async function chooseFewer(
  db: Db,
  { brandId, now, terms }: { brandId: string; now: Date; terms: Term[] },
): Promise<Term[] | null> {
  const choices = fewerTerms(terms);
  if (choices.length <= 1) return choices[0] ?? null;
  const counts = await countChoices(db, {
    brandId,
    now,
    all: toTsquery(terms)!,
    // Offers that merely mention a word in their description answer nothing that the other words ask.
    choices: choices.map((choice) => toTsquery(choice, choice.length === 1 ? "AB" : "")!),
  });
  return counts === null ? null : bestChoice(choices, counts);
}

async function findAt(
  db: Db,
  { terms, prefer = [], page, ...search }: Search & { terms: Term[]; prefer?: Term[] },
): Promise<FoundOffers & { page: number }> {
  const tsquery = toTsquery(terms);
  if (tsquery === null) return { total: 0, offers: [], found: new Set(), kinds: null, page: 1 };
  const at = (number: number) =>
    findOffers(db, {
      ...search,
      tsquery: preferring(tsquery, prefer),
      rareTsquery: toTsquery(rarestTerms(terms) ?? []),
      isCommon: isCommon(terms),
      offset: (number - 1) * OFFERS_PER_PAGE,
      limit: OFFERS_PER_PAGE,
    });
  // More matches than are counted have no more pages.
  const asked = Math.min(page, countPages(MAX_COUNTED));
  const found = await at(asked);
  if (found.offers.length > 0 || asked === 1) return { ...found, page: asked };
  const start = await at(1); // a page beyond the last does not return the total
  const last = countPages(Math.min(start.total, MAX_COUNTED));
  return last === 1 || start.total === 0 ? { ...start, page: 1 } : { ...(await at(last)), page: last };
}

interface Chosen {
  query: string;
  typed: readonly TypedWord[];
  terms: Term[];
  dropped: boolean;
}

function toPart(found: FoundOffers & { page: number }, { query, typed, terms, dropped }: Chosen): OfferPart {
  const total = Math.min(found.total, MAX_COUNTED);
  const corrected = found.total === 0 ? null : describeCorrection(terms, { dropped, found: found.found });
  return {
    corrected,
    leftOut: corrected === null ? [] : wordsLeftOut(typed, terms),
    page: found.page,
    pageCount: countPages(total),
    total,
    totalIsMinimum: found.total > MAX_COUNTED,
    kinds: found.kinds,
    offers: found.offers,
    terms,
    dropped,
    named: corrected ?? query,
  };
}

/** Returns suggestions while a visitor types: the last word may be unfinished. Returns none for an empty query. `words`: by default the database's. */
export async function suggest(
  db: Db,
  { brandId, now, query: raw }: { brandId: string; now: Date; query: string },
  read: WordReader = databaseWords(db),
): Promise<Suggestions & { didYouMean: string | null }> {
  const query = cleanQuery(raw);
  const none = { retailers: [], categories: [], offers: [], didYouMean: null };
  const typed = query === "" ? [] : await readWords(read, { brandId, query, completeKnown: true });
  if (typed.length === 0) return none;
  const words = unfinished(typed);
  const doubtful = doubtfulTerm(words);
  const didYouMean = doubtful && (await findMeant(db, { brandId, now, doubtful }));
  if (didYouMean !== null) return { ...none, didYouMean };
  const terms = doubtful === null ? chooseTerms(words).terms : [];
  const tsquery = toTsquery(terms);
  const found = await findSuggestions(db, {
    brandId,
    now,
    query,
    tsquery,
    nameTsquery: toTsquery(terms, "A"),
    includeAlike: true,
    offers:
      tsquery === null
        ? null
        : {
            brandId,
            now,
            query,
            tsquery,
            rareTsquery: toTsquery(rarestTerms(terms) ?? []),
            isCommon: isCommon(terms),
            sort: "relevance",
            offset: 0,
            limit: SUGGESTED_OFFERS,
            maxCounted: MAX_RANKED,
          },
  });
  return { ...found, didYouMean: null };
}

/** Returns the typed words with the last one treated as unfinished, even if it is a whole word. */
function unfinished(typed: TypedWord[]): TypedWord[] {
  return typed.map((word, index) => {
    return index === typed.length - 1 && word.completions.length > 0
      ? { ...word, isKnown: false, completions: [...(word.isKnown ? asTyped(word) : []), ...word.completions] }
      : word;
  });
}
