/** What a search's URL may say: any text at all (D2), and a sort and page as listings have them. */
import { z } from "zod";

export const QUERY_LENGTH = 200;

/**
 * The text of `q`, made safe to store, echo and search for: well-formed, without control characters (NUL among them) and without the marks that
 * turn the reading direction of what follows, spaces collapsed, trimmed, at most 200 characters. Never fails.
 */
export function cleanQuery(raw: string | null | undefined): string {
  return [
    ...(raw ?? "")
      .slice(0, QUERY_LENGTH * 10) // bounds the work; what is cut here could only have been spaces and marks
      .toWellFormed()
      .replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]/gu, " ")
      .replace(/\s+/g, " ")
      .trim(),
  ]
    .slice(0, QUERY_LENGTH)
    .join("")
    .trim();
}

export const querySchema = z.string().nullish().catch(null).transform(cleanQuery);

export const searchSortSchema = z.enum(["relevance", "popular", "newest", "ending"]).catch("relevance");
