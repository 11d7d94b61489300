/** Parameters of a search's URL: any text (D2), and the sort and page of listings. */
import { z } from "zod";

export const QUERY_LENGTH = 200;

/**
 * The text of `q`, made safe to store, show and search for: well-formed, without control characters (such as NUL) and marks that change the reading
 * direction, with spaces collapsed, trimmed, at most 200 characters. Never fails.
 */
export function cleanQuery(raw: string | null | undefined): string {
  return [
    ...(raw ?? "")
      .slice(0, QUERY_LENGTH * 10) // bounds the work: only spaces and marks can lie beyond
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
