/**
 * Maximum number of favourites of each kind, because every page of a member has their keys. Not in the schema, so that
 * pages can show it without loading a parser.
 */
export const MAX_FAVOURITES = 200;
