/** Parameters of the history's addresses. */
import { z } from "zod";
import { entryIdOf } from "./history-cursor.ts";

/** A cursor as an address has it, parsed to an entry's id. Whether the entry exists and is the member's, the query finds out. */
export const historyCursorSchema = z.string().transform(entryIdOf).nullable();

const MAX_WORDS = 80;

/** Words of a retailer's name; the empty string where nothing is searched for. Never fails: what cannot be searched for finds nothing. */
export const purchaseWordsSchema = z
  .string()
  .nullable()
  .transform((text) => (text ?? "").replaceAll("\u0000", "").toWellFormed().trim().slice(0, MAX_WORDS).toWellFormed());

/** A click number as people copy it: any case, with or without hyphens and spaces. Null for what is none. */
export function clickNumberOf(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, "");
  return /^[0-9A-HJKMNP-TV-Z]{12}$/.test(letters)
    ? `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
    : null;
}
