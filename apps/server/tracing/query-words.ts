/** What a trace shows of a statement. */
export interface QueryWords {
  /** Such as "select members": the name of the span. */
  summary: string;
  operation: string;
  /** The first table that is named; undefined without one. */
  table: string | undefined;
  /** The statement with `?` for each literal, at most `MAX_QUERY_LENGTH` characters. */
  text: string;
}

export const MAX_QUERY_LENGTH = 2_000;

/**
 * Returns the words of a statement. Values are parameters (`$1`) and not in its text; literals are taken out all the
 * same, because a statement written by hand may hold one.
 */
export function queryWords(statement: string): QueryWords {
  const text = withoutLiterals(statement);
  const operation = /^[a-z]+/i.exec(text)?.[0].toLowerCase() ?? "statement";
  const table = /\b(?:from|into|update|join)\s+"?([a-z_][a-z0-9_]*)"?/i.exec(text)?.[1];
  const summary = table === undefined ? operation : `${operation} ${table}`;
  return { summary, operation, table, text: text.slice(0, MAX_QUERY_LENGTH) };
}

/**
 * Comments, quoted names, and literals (PostgreSQL's manual, 4.1): with backslashes, between dollars, quoted, and
 * numbers. One pattern, because each may hold the others' signs.
 */
const PARTS =
  /(?:--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?:"(?:[^"]|"")*(?:"|$))|\be'(?:[^'\\]|\\[^]|'')*(?:'|$)|\$(?<tag>(?:[a-z_]\w*)?)\$[^]*?(?:\$\k<tag>\$|$)|'(?:[^']|'')*(?:'|$)|(?<![\w$.])\d+(?:\.\d+)?(?!\w)/gi;

function withoutLiterals(statement: string): string {
  const replaced = statement.replace(PARTS, (part) => {
    if (part.startsWith("--") || part.startsWith("/*")) return " ";
    return part.startsWith('"') ? part : "?";
  });
  return replaced.replace(/\s+/g, " ").trim();
}
