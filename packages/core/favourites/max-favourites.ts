/** Of each kind. Every page of a member's carries the keys, so there is an end to them. Apart from the schema: the page says it, and needs no parser for that. */
export const MAX_FAVOURITES = 200;
