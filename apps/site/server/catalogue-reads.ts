import { cachedRead, type CachedReadOptions, type ReadArguments } from "@farthing/core/catalogue/cached-read.ts";
import { findCategoryPage, listCategories } from "@farthing/core/catalogue/categories/queries.server.ts";
import { findHomePage } from "@farthing/core/catalogue/home/queries.server.ts";
import { listOfferCards } from "@farthing/core/catalogue/offers/offer-cards.server.ts";
import { findOfferPage } from "@farthing/core/catalogue/offers/queries.server.ts";
import { findRetailerPage, findRetailersAToZ } from "@farthing/core/catalogue/retailers/queries.server.ts";
import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import type { WordReader } from "@farthing/core/search/words.server.ts";
import type { Db } from "@farthing/db/client.ts";

/**
 * The catalogue queries that pages are made of. Their results are the same for every member of a brand; a member's own
 * data is read elsewhere, each time.
 */
const queries = {
  findCategoryPage,
  findHomePage,
  findOfferPage,
  findRetailerPage,
  findRetailersAToZ,
  listCategories,
  listOfferCards,
  searchCatalogue,
};

type Query = (typeof queries)[keyof typeof queries];

/** The queries of the catalogue by name, with the database filled in. */
export type CatalogueReads = {
  [Name in keyof typeof queries]: (
    options: Parameters<(typeof queries)[Name]>[1],
  ) => ReturnType<(typeof queries)[Name]>;
};

/** Returns reads that go to the database each time, so that a change is visible at once. */
export function directReads(db: Db): CatalogueReads {
  return wrap((query) => (options) => query(db, options));
}

/**
 * Returns reads that are cached for five seconds (cached-read.ts). Each query has a cache of its own, so a flood of
 * made-up searches cannot evict the categories. For those seconds a page may show an offer that has ended or whose pool
 * is empty; the click and the reveal check again. `words`: reads the words of searches; by default from the database.
 */
export function cachedReads(
  db: Db,
  { words, ...options }: CachedReadOptions & { words?: WordReader } = {},
): CatalogueReads & { clear(): void } {
  const clearings: (() => void)[] = [];
  const search: typeof searchCatalogue = (from, asked) => searchCatalogue(from, asked, words);
  const reads = wrap(
    (query) => {
      const read = cachedRead((asked: ReadArguments) => query(db, asked), options);
      clearings.push(read.clear);
      return read;
    },
    { ...queries, searchCatalogue: search },
  );
  return { ...reads, clear: () => clearings.forEach((clear) => clear()) };
}

type AnyQuery = (db: Db, options: ReadArguments) => Promise<unknown>;

function wrap(by: (query: AnyQuery) => (options: ReadArguments) => Promise<unknown>, all = queries): CatalogueReads {
  const wrapped = Object.entries(all).map(([name, query]: [string, Query]) => [name, by(query as AnyQuery)]);
  // Each name has the query of that name, without its database.
  return Object.fromEntries(wrapped) as unknown as CatalogueReads;
}
