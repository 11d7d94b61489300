import { CsvError, parse } from "csv-parse/sync";
import type { ReportAnswer, ReportFileReading } from "./provider.ts";

class UnreadableReportError extends Error {}

/** How a network's report reads as a file. */
export interface ReportFileShape {
  /** The network's name, for messages. */
  network: string;
  /** The way to the list of rows within the answer of the network's API; empty where the answer is the list. */
  list: readonly string[];
  /**
   * Every field of a row that cashback can depend on, as a path such as `saleAmount.amount`. A file must have them all, empty or not: a report that was cut
   * down would change sales that are known.
   */
  fields: readonly string[];
  /** Parses JSON; a number that a double can't hold must become text. */
  parseJson(text: string): unknown;
}

const AGAIN = "Download it again, and give it as it is: a spreadsheet changes long numbers and dates";
/** A field's name. No other may become a key of an object: `__proto__` is none. */
const FIELD = /^[A-Za-z][\w ]{0,60}$|^\d{1,3}$/;
/** A long number as a spreadsheet shows it, for example 2.5963E+11. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d+$/i;
const MAX_COLUMNS = 500;
/** Rows of one file, at most: its dry run takes some seconds. */
const MAX_ROWS = 5_000;

/**
 * Reads a report that somebody downloaded (C2): the answer of the network's API as JSON, or CSV whose columns are the fields of a row. A nested field has
 * its path (`saleAmount.amount`); a list is JSON in one cell; an empty cell is null. `readRows` reads the rows as those of an answer.
 */
export function readReportFile(
  text: string,
  shape: ReportFileShape,
  readRows: (rows: readonly unknown[]) => ReportAnswer,
): ReportFileReading {
  const content = text.replace(/^\uFEFF/, "").trim();
  if (content === "") return { outcome: "unreadable", problem: "The file is empty. Download it again." };
  let rows: unknown[];
  try {
    rows = /^[[{]/.test(content) ? jsonRows(content, shape) : csvRows(content, shape);
    if (rows.length > MAX_ROWS)
      throw new UnreadableReportError(
        `The file has ${rows.length} rows. Give at most ${MAX_ROWS} at once: a shorter time.`,
      );
    checkFields(rows, shape);
  } catch (error) {
    if (!(error instanceof UnreadableReportError)) throw error;
    return { outcome: "unreadable", problem: error.message };
  }
  return { outcome: "read", answer: readRows(rows) };
}

/** A row that is no object, or whose id is wrong, is named by the network's own reader. */
function checkFields(rows: readonly unknown[], { network, fields }: ReportFileShape): void {
  for (const [at, row] of rows.entries()) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) continue;
    const missing = fields.filter((field) => !hasField(row, field.split(".")));
    if (missing.length > 0)
      throw new UnreadableReportError(
        `Row ${at + 1} lacks ${missing.map((field) => `“${field}”`).join(", ")}. Give ${network}’s report with all its fields: what is left out would change sales.`,
      );
  }
}

/** Whether a row has a field. One within an object that is null or empty is there, and empty. */
function hasField(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || value === null || value === undefined) return true;
  if (typeof value !== "object") return true;
  return Object.hasOwn(value, first) && hasField((value as Record<string, unknown>)[first], rest);
}

function jsonRows(text: string, { network, list, parseJson }: ReportFileShape): unknown[] {
  let found: unknown;
  try {
    found = parseJson(text);
  } catch {
    throw new UnreadableReportError("The file is not whole JSON. Download it again.");
  }
  if (Array.isArray(found)) return found;
  for (const key of list)
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined;
  if (list.length > 0 && Array.isArray(found)) return found;
  const where = list.length > 0 ? ` in “${list.join(".")}”` : "";
  throw new UnreadableReportError(`This is no report of ${network}: it has no list of transactions${where}.`);
}

function csvRows(text: string, { network, fields, parseJson }: ReportFileShape): unknown[] {
  const records = parseCsv(text);
  const header = records[0]?.record ?? [];
  if (header.length > MAX_COLUMNS)
    throw new UnreadableReportError(`The header has ${header.length} columns. A report has at most ${MAX_COLUMNS}.`);
  const isAbout = (field: string, column: string) =>
    `${field}.`.startsWith(`${column}.`) || column.startsWith(`${field}.`);
  const missing = fields.filter((field) => !header.some((column) => isAbout(field, column)));
  if (missing.length > 0)
    throw new UnreadableReportError(
      `This is no whole report of ${network}: the header lacks ${missing.map((field) => `“${field}”`).join(", ")}. The columns are the fields of the network’s API, separated by commas; a column may be empty.`,
    );
  const bad = header.find((column) => !column.split(".").every((part) => FIELD.test(part)));
  if (bad !== undefined)
    throw new UnreadableReportError(`The header has a column “${bad.slice(0, 60)}”, which is no name of a field.`);
  const twice = header.find((column, at) => header.indexOf(column) !== at);
  if (twice !== undefined)
    throw new UnreadableReportError(`The header has the column “${twice}” twice. Remove one of the two.`);
  return records.slice(1).map(({ record, line }) => {
    const row: Fields = Object.create(null) as Fields;
    for (const [at, column] of header.entries()) {
      const cell = record[at]!.trim();
      if (SHORTENED.test(cell))
        throw new UnreadableReportError(`Line ${line}, “${column}”: a spreadsheet has shortened a number. ${AGAIN}.`);
      put(row, column, valueOf(cell, parseJson));
    }
    return row;
  });
}

interface Fields {
  [field: string]: unknown;
}

function put(row: Fields, column: string, value: unknown): void {
  const path = column.split(".");
  const last = path.pop()!;
  let at = row;
  for (const part of path) {
    const inner = at[part];
    if (inner !== undefined && (typeof inner !== "object" || inner === null || Array.isArray(inner)))
      throw new UnreadableReportError(`The header has both “${part}” and a field within it. Remove one of the two.`);
    at = (at[part] ??= Object.create(null) as Fields) as Fields;
  }
  at[last] = value;
}

/** Returns what a cell holds; null for an empty one. */
function valueOf(cell: string, parseJson: (text: string) => unknown): unknown {
  if (cell === "") return null;
  if (/^(true|false)$/i.test(cell)) return /^true$/i.test(cell);
  if (!/^[[{]/.test(cell)) return cell;
  try {
    return parseJson(cell);
  } catch {
    return cell; // the schema of the row refuses it, and names the field
  }
}

function parseCsv(text: string): { record: string[]; line: number }[] {
  const rows: { record: string[]; line: number }[] = [];
  try {
    parse(text, {
      record_delimiter: ["\r\n", "\n", "\r"],
      skip_empty_lines: true,
      // Spreadsheets leave rows of commas where rows were cleared.
      skip_records_with_empty_values: true,
      on_record(record: string[], { lines }) {
        rows.push({ record, line: lines });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: unknown };
    const where = typeof lines === "number" ? `Line ${lines}` : "A row";
    throw new UnreadableReportError(
      `${where} does not fit the header, or has a quotation mark that is not closed. ${AGAIN}.`,
    );
  }
}
