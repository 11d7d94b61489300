/** Characters that begin a formula in spreadsheets, including their full-width forms (OWASP, "CSV Injection"). */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
/** Text that looks as if csvLine had put an apostrophe before it. */
const looksGuarded = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** Returns text for a file that is read again: withoutGuard returns it as it was from the cell that csvLine makes of it. */
export function keepGuard(text: string): string {
  return looksGuarded.test(text) ? `'${text}` : text;
}

/** Returns the text of a cell without the apostrophe that keeps a formula from running. */
export function withoutGuard(cell: string): string {
  return looksGuarded.test(cell) ? cell.slice(1) : cell;
}

/** A number that keeps its decimals, such as `-5.00`: csvLine writes it as it is. */
export class CsvNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Returns one line of CSV (RFC 4180). An apostrophe precedes text that would begin a formula in a spreadsheet; numbers
 * stay numbers.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof CsvNumber) return value.text;
  const text = textOf(value);
  const safe = beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value as string);
}
