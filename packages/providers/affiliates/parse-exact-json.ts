/** A run of digits that a double may not hold exactly. */
const LONG_NUMBER = /\d{16}/;

/** What the reviver of JSON.parse is told of a value beside it (ECMA-262, JSON.parse source text access). */
interface Source {
  source?: string;
}

/**
 * Parses JSON as JSON.parse does, but returns a number of more than 15 digits as its text: ids of networks exceed 2^53, where two ids would become one.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
  const revive = (_key: string, value: unknown, { source }: Source = {}): unknown =>
    typeof value === "number" &&
    source !== undefined &&
    source.replace(/\D/g, "").length > 15 &&
    String(value) !== source
      ? source
      : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as unknown;
}
