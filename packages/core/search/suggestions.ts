import { z } from "zod";
import { QUERY_LENGTH } from "./schema.ts";

/** What /api/suggestions answers: each with the address it leads to. The site's search field reads it. */
export interface SuggestionsAnswer {
  retailers: { name: string; path: string }[];
  categories: { name: string; path: string; liveOffers: number }[];
  offers: { title: string; headline: string; retailer: string; path: string }[];
}

/** `q` as it may be sent: there, once, and no longer than the field takes. What is in it does not matter. */
export const suggestionsQuery = z
  .array(z.string().max(QUERY_LENGTH, { error: `Send at most ${QUERY_LENGTH} characters.` }))
  .length(1, { error: "Send q once: what has been typed so far." })
  .transform(([q]) => q ?? "");
