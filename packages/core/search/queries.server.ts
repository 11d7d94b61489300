import type { Db } from "@farthing/db/client.ts";
import type { OfferFilter, SearchPage } from "../catalogue/catalogue-view.ts";
import { countPages, OFFERS_PER_PAGE } from "../catalogue/rules.ts";
import { findNames, findSuggestions, type Suggestions } from "./find-names.server.ts";
import { findOffers, MAX_COUNTED, type FoundOffers } from "./find-offers.server.ts";
import {
  asTyped,
  chooseTerms,
  describeCorrection,
  essentialTerms,
  isCommon,
  joinNeighbours,
  rarestTerms,
  toTsquery,
  widenTerms,
  withJoined,
  wordsLeftOut,
  type Term,
  type TypedWord,
} from "./rules.ts";
import { cleanQuery } from "./schema.ts";
import { lookUpWords, type LookUpOptions } from "./words.server.ts";

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
  /** How many retailers; by default as many as stand above the offers. */
  maxRetailers?: number | undefined;
}

/**
 * Returns what a brand's visitors find for any text (D2): retailers, categories and one page of offers, with typos corrected and the correction named.
 * No text makes it throw. `total` is the number of offers, exact up to MAX_COUNTED; retailers and categories are on the first page only. A page beyond
 * the last returns the last.
 */
export async function searchCatalogue(db: Db, { query: raw, ...search }: Search): Promise<SearchPage> {
  const query = cleanQuery(raw);
  const { brandId, now, sort, page, maxRetailers } = search;
  const empty: SearchPage = {
    query,
    corrected: null,
    leftOut: [],
    sort,
    page: 1,
    pageCount: 1,
    total: 0,
    totalIsMinimum: false,
    kinds: null,
    retailers: [],
    retailersAreMore: false,
    categories: [],
    offers: [],
  };
  if (query === "") return empty;
  const typed = await readWords(db, { brandId, query });
  if (typed.length === 0) return empty;
  const { terms, dropped, ...found } = await findMatchingOffers(db, { ...search, query, typed });
  if (page > 1) return { ...empty, ...found };
  // Searching for similar names is worth its cost where the words found little and the text is short enough for a name.
  const includeAlike = (found.total <= OFFERS_PER_PAGE || dropped) && typed.length <= MAX_NAME_LENGTH;
  const names = await findNames(db, {
    brandId,
    now,
    query: found.corrected ?? query,
    tsquery: toTsquery(terms),
    nameTsquery: toTsquery(terms, "A"),
    includeAlike,
    maxRetailers,
  });
  return { ...empty, ...found, ...names };
}

/** Looks up the words of a query. Names that were typed with a space are one word. */
async function readWords(db: Db, options: LookUpOptions): Promise<TypedWord[]> {
  const typed = await lookUpWords(db, options);
  const joined = joinNeighbours(typed);
  return joined.length === 0
    ? typed
    : withJoined(typed, await lookUpWords(db, { ...options, query: joined.join(" ") }));
}

type OfferPart = Pick<
  SearchPage,
  "corrected" | "leftOut" | "page" | "pageCount" | "total" | "totalIsMinimum" | "kinds" | "offers"
> & {
  terms: Term[];
  dropped: boolean;
};

/**
 * Returns the matching offers, and the words that found them. It searches for the chosen words first. Where they find nothing, it tries wider
 * alternatives, and last the known words alone. These lack words that had to be guessed ("yover" is unknown, and "over" is a stop word) and
 * words about saving in general ("discount").
 */
async function findMatchingOffers(
  db: Db,
  { typed, page, ...search }: Search & { typed: TypedWord[] },
): Promise<OfferPart> {
  const { terms, dropped } = chooseTerms(typed);
  const first = await findAt(db, { ...search, terms, page });
  if (first.total > 0) return toPart(first, { typed, terms, dropped });
  // The words have matches outside the filter: other words would be wrong.
  if (search.filter && (await findAt(db, { ...search, filter: undefined, terms, page: 1 })).total > 0)
    return toPart(first, { typed, terms, dropped });
  // The neighbours of unknown words have been read already.
  if (!typed.some(({ isKnown }) => isKnown)) return toPart(first, { typed, terms, dropped });
  const wider = widenTerms(await lookUpWords(db, { brandId: search.brandId, query: search.query, wide: true }));
  const second = await findAt(db, { ...search, terms: wider, page });
  if (second.total > 0) return toPart(second, { typed, terms: wider, dropped: dropped || wider.length < terms.length });
  const essential = essentialTerms(terms);
  if (essential.length === terms.length || essential.length === 0) return toPart(first, { typed, terms, dropped });
  return toPart(await findAt(db, { ...search, terms: essential, page }), { typed, terms: essential, dropped: true });
}

async function findAt(
  db: Db,
  { terms, page, ...search }: Search & { terms: Term[] },
): Promise<FoundOffers & { page: number }> {
  const tsquery = toTsquery(terms);
  if (tsquery === null) return { total: 0, offers: [], found: new Set(), kinds: null, page: 1 };
  const at = (number: number) =>
    findOffers(db, {
      ...search,
      tsquery,
      rareTsquery: toTsquery(rarestTerms(terms) ?? []),
      isCommon: isCommon(terms),
      offset: (number - 1) * OFFERS_PER_PAGE,
      limit: OFFERS_PER_PAGE,
    });
  const found = await at(page);
  if (found.offers.length > 0 || page === 1) return { ...found, page };
  const start = await at(1); // a page beyond the last does not return the total
  const last = countPages(Math.min(start.total, MAX_COUNTED));
  return last === 1 || start.total === 0 ? { ...start, page: 1 } : { ...(await at(last)), page: last };
}

interface Chosen {
  typed: readonly TypedWord[];
  terms: Term[];
  dropped: boolean;
}

function toPart(found: FoundOffers & { page: number }, { typed, terms, dropped }: Chosen): OfferPart {
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
  };
}

/** Returns suggestions while a visitor types: the last word may be unfinished. Returns none for an empty query. */
export async function suggest(
  db: Db,
  { brandId, now, query: raw }: { brandId: string; now: Date; query: string },
): Promise<Suggestions> {
  const query = cleanQuery(raw);
  const typed = query === "" ? [] : await readWords(db, { brandId, query, completeKnown: true });
  if (typed.length === 0) return { retailers: [], categories: [], offers: [] };
  const { terms } = chooseTerms(unfinished(typed));
  const tsquery = toTsquery(terms);
  return await findSuggestions(db, {
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
}

/** Returns the typed words with the last one treated as unfinished, even if it is a whole word. */
function unfinished(typed: TypedWord[]): TypedWord[] {
  return typed.map((word, index) => {
    return index === typed.length - 1 && word.completions.length > 0
      ? { ...word, isKnown: false, completions: [...(word.isKnown ? asTyped(word) : []), ...word.completions] }
      : word;
  });
}
