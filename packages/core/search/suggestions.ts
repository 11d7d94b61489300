import { z } from "zod";
import { QUERY_LENGTH } from "./schema.ts";

/** The answer of /api/suggestions, with the path of each suggestion. The site's search field reads it. */
export interface SuggestionsAnswer {
  /** `rates` in words: "2% to 6% cashback"; null where the retailer pays no cashback. */
  retailers: { name: string; rates: string | null; path: string }[];
  categories: { name: string; path: string; liveOffers: number }[];
  offers: { title: string; headline: string; retailer: string; path: string }[];
  /** The word that may be meant, where nothing was found. */
  didYouMean?: string;
}

/** `q`: required, once, and no longer than the search field allows. Any text is valid. */
export const suggestionsQuery = z
  .array(z.string().max(QUERY_LENGTH, { error: `Send at most ${QUERY_LENGTH} characters.` }))
  .length(1, { error: "Send q once: what has been typed so far." })
  .transform(([q]) => q ?? "");
