/** What the log gets of an error: what helps to find its cause, and none of the values that it happened with (P6). */
export interface DescribedError {
  type: string;
  message: string;
  stack: string;
  cause?: DescribedError;
  errors?: DescribedError[];
  /** Plain facts: codes, and names of the database's objects. */
  [fact: string]: unknown;
}

/**
 * Properties of errors that are logged. Others may hold what a person typed: a database's `detail` has the whole row, `where` the
 * line, a mail server's `rejected` the address, a URL's `input` the address with its parameters.
 */
const FACTS = [
  "code",
  "errno",
  "syscall",
  "status",
  "statusCode",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "dataType",
  "routine",
];

/** Errors whose cause has a cause … end here. */
const MAX_DEPTH = 5;

/** Returns an error as the log has it. Anything that was thrown will do. */
export function describeError(thrown: unknown, depth = 0): DescribedError {
  if (!(thrown instanceof Error))
    return { type: typeof thrown, message: typeof thrown === "string" ? withoutValues(thrown) : "no error", stack: "" };
  const { name, message, stack = "", cause } = thrown;
  const type = thrown.constructor.name || name;
  const said = withoutValues(message);
  const facts = Object.fromEntries(
    FACTS.flatMap((fact) => {
      const value: unknown = Reflect.get(thrown, fact);
      return typeof value === "number" || (typeof value === "string" && value.length <= 100) ? [[fact, value]] : [];
    }),
  );
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type,
    message: said,
    stack: [`${name}: ${said}`, ...frames].join("\n"),
    ...facts,
    ...(cause !== undefined && depth < MAX_DEPTH ? { cause: describeError(cause, depth + 1) } : {}),
    ...(thrown instanceof AggregateError && depth < MAX_DEPTH
      ? { errors: thrown.errors.map((one) => describeError(one, depth + 1)) }
      : {}),
  };
}

/**
 * Parts of messages that repeat what was sent, and what the log has instead. PostgreSQL quotes a value that it can't read, V8 the JSON around
 * an error, mail servers the address, HTTP clients the whole URL.
 */
const VALUES: readonly [RegExp, string][] = [
  [/(invalid input (?:syntax|value) for [^:]*|out of range|invalid [a-z ]+|malformed [a-z ]+): "[^]*"/gi, "$1: […]"],
  [/\bvalue "[^]*" is out of range/g, "value […] is out of range"],
  [/(?:\.\.\.)?"[^]*"(?:\.\.\.)?( is not valid JSON)/g, "[…]$1"],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]*@/gi, "$1[…]@"],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>)]*/gi, "$1?[…]"],
  [/[^\s@"'<>(),;:=[\]]+@[^\s@"'<>(),;:=[\]]+\.[^\s@"'<>(),;:=[\]]+/g, "[address]"],
  [/\b(?:sk|rk|pk|whsec|farthing)_[A-Za-z0-9_]{8,}/g, "[key]"],
];

/** Returns a message without the values that it repeats, as far as their form tells them. */
export function withoutValues(message: string): string {
  return VALUES.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), message);
}
