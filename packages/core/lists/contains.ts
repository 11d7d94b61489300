import { sql, type RawBuilder } from "kysely";

/**
 * Returns the condition that a column holds what was typed, small and capital letters alike, with an index of trigrams on the column as it
 * is given here (A3). Such an index knows nothing shorter than three letters or digits: what is shorter must begin a word, and a text without
 * any of them is in no name.
 * @param column in small letters: `lower(name)`
 */
export function contains(column: RawBuilder<unknown>, typed: string): RawBuilder<unknown> {
  const text = typed.toLowerCase().trim();
  const escaped = escapeLike(text);
  if (/[\p{L}\p{N}]{3}/u.test(text)) return sql`${column} like ${`%${escaped}%`}`;
  if (!/[\p{L}\p{N}]/u.test(text)) return sql`false`;
  return sql`(${column} like ${`${escaped}%`} or ${column} like ${`% ${escaped}%`})`;
}

/** Returns a text as `like` takes it literally. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
