import { decimalPounds } from "../money/money.ts";
import { csvLine, CsvNumber } from "../personal-data/csv.ts";
import type { ReportRange } from "../telemetry/reader.ts";

export interface ReportOptions {
  range: ReportRange;
  /** Maximum lines of searches and offers. */
  max: number;
  /** Offers with fewer clicks are left out. */
  minClicks: number;
}

/** What a column's cells are. Money is pence; percent is a number such as `12.5`; a day is `2026-11-25`, a month is its first day. */
export interface ReportColumn {
  label: string;
  kind: "text" | "day" | "month" | "count" | "money" | "percent" | "moment";
  /** The lines add up to a total: what happened does, how many members there are on each day does not. */
  isSummed?: boolean;
}

/** Null: unknown, or not applicable. */
export type ReportCell = string | number | Date | null;

export interface ReportTable {
  columns: readonly ReportColumn[];
  rows: readonly (readonly ReportCell[])[];
}

/** A picture of a report's figures: what a program draws from, without saying how. */
export type ReportChart = { title: string; unit: "count" | "money" | "percent" } & (
  | { kind: "bars"; bars: readonly { label: string; value: number }[] }
  | {
      kind: "lines";
      /** What is under the lines, from left to right: days, or the first days of months. */
      days: readonly string[];
      step: "day" | "month";
      series: readonly { name: string; values: readonly number[] }[];
    }
);

export interface DrawnReport extends ReportTable {
  charts: readonly ReportChart[];
}

/** Returns the total of each column, null for those that do not add up; or null where no column does. Money is pence. */
export function totalsOf({ columns, rows }: ReportTable): (number | null)[] | null {
  if (!columns.some(({ isSummed }) => isSummed)) return null;
  return columns.map(({ isSummed }, at) =>
    isSummed ? rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0) : null,
  );
}

/** Returns a column's label with its unit, for a file and a terminal: `Sales (GBP)`. */
export function labelWithUnit({ label, kind }: ReportColumn): string {
  return kind === "money" ? `${label} (GBP)` : kind === "percent" ? `${label} (%)` : label;
}

/** Returns a cell for a file and a terminal: pounds with two decimals, moments in UTC, months as `2026-11`. */
export function plainCell(cell: ReportCell, kind: ReportColumn["kind"]): string | number | null {
  if (cell instanceof Date) return cell.toISOString();
  if (kind === "month") return String(cell).slice(0, "2026-11".length);
  return kind === "money" && typeof cell === "number" ? decimalPounds(cell) : cell;
}

/** Returns a table as CSV, without text that begins a formula. Money is a number, also below zero, so that a spreadsheet adds it up. */
export function reportCsv({ columns, rows }: ReportTable): string {
  const lines = rows.map((row) => row.map((cell, at) => fileCell(cell, columns[at]?.kind ?? "text")));
  return [columns.map(labelWithUnit), ...lines].map(csvLine).join("");
}

function fileCell(cell: ReportCell, kind: ReportColumn["kind"]): string | number | CsvNumber | null {
  return kind === "money" && typeof cell === "number" ? new CsvNumber(decimalPounds(cell)) : plainCell(cell, kind);
}
