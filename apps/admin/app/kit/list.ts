import { isDay } from "@farthing/core/reports/rules.ts";
import type { ReactNode } from "react";

export interface ListColumn<Row, Sort extends string> {
  /** Names the column in the file. */
  key: string;
  label: string;
  /** The order that the column's heading chooses. */
  sort?: Sort;
  isNumber?: boolean;
  cell(row: Row): ReactNode;
  /** The value in the file; the column is not in it without one. */
  csv?(row: Row): unknown;
}

export type ListFilter =
  | { name: string; label: string; kind: "text"; placeholder?: string }
  | { name: string; label: string; kind: "date" }
  | {
      name: string;
      label: string;
      kind: "choice";
      choices: readonly { value: string; label: string }[];
      /** What no choice means; "Any" by default. */
      none?: string;
    };

/** Something that is done to all chosen rows. The page's action asks first (Confirm), then does it. */
export interface BulkAct {
  name: string;
  label: string;
  isDanger?: true;
}

/** Everything of a list but its data: one way to make a list screen (docs/admin.md). */
export interface List<Row, Sort extends string> {
  /** Names the list's saved views. */
  name: string;
  path: `/admin${string}`;
  /** The address of the list as a file: every list can be exported (A3). */
  csvPath: `/admin${string}`;
  /** What the rows are, for captions and empty lists: "members". */
  rows: string;
  columns: readonly ListColumn<Row, Sort>[];
  filters: readonly ListFilter[];
  sorts: readonly Sort[];
  defaultSort: Sort | `-${Sort}`;
  keyOf(row: Row): string;
  /** How a row is called where it is chosen. */
  nameOf(row: Row): string;
  bulk?: readonly BulkAct[];
}

/** The filters that an address sets, by name; each at most 200 characters. */
export type Filters = Readonly<Record<string, string>>;

export function readFilters(query: URLSearchParams, filters: readonly ListFilter[]): Filters {
  const set: Record<string, string> = {};
  for (const filter of filters) {
    const value = (query.get(filter.name) ?? "").trim().slice(0, 200);
    const isKnown =
      filter.kind === "choice"
        ? filter.choices.some((choice) => choice.value === value)
        : filter.kind === "date"
          ? isDay(value) && value >= "1900-01-01"
          : value !== "";
    if (isKnown) set[filter.name] = value;
  }
  return set;
}
