import type { Action } from "@farthing/core/audit/actions.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import {
  eachListRow,
  findListPage,
  type ListPage,
  type ListQuery,
} from "@farthing/core/lists/find-list-page.server.ts";
import { readListState, type ListState } from "@farthing/core/lists/list-schema.ts";
import { csvLine } from "@farthing/core/personal-data/csv.ts";
import type { Permission } from "@farthing/core/operators/permissions.ts";
import { findViews, type SavedView } from "@farthing/core/operators/views.server.ts";
import type { RouterContextProvider } from "react-router";
import { factsOfPattern } from "../../pages.ts";
import { operatorContext, servicesContext } from "../admin-context.ts";
import { actForFile } from "./actor.server.ts";
import { readFilters, type Filters, type List } from "./list.ts";

interface Args {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

export interface LoadedList<Row, Sort extends string> extends ListPage<Row> {
  state: ListState<Sort>;
  filters: Filters;
  views: SavedView[];
}

/** Reads what a list screen shows: one page of rows, its state from the address, and the operator's saved views. */
export async function loadList<Row, Sort extends string>(
  { request, context }: Args,
  list: List<Row, Sort>,
  query: (filters: Filters) => ListQuery<Sort>,
): Promise<LoadedList<Row, Sort>> {
  const { db } = context.get(servicesContext);
  const { id: operatorId } = context.get(operatorContext);
  const { searchParams } = new URL(request.url);
  const state = readListState(searchParams, list);
  const filters = readFilters(searchParams, list.filters);
  const [page, views] = await Promise.all([
    findListPage<Row, Sort>(db, query(filters), state),
    findViews(db, { operatorId, list: list.name }),
  ]);
  return { ...page, state, filters, views };
}

/**
 * Answers with the whole list as CSV, in its order and with its filters. Rows are read as they are sent. Files leave the club,
 * and most name members, so each is in the log before its first row (A1).
 */
export async function csvOfList<Row, Sort extends string>(
  { request, context, pattern }: Args & { pattern: string },
  action: Extract<Action, `${string}.export`>,
  list: List<Row, Sort>,
  query: (filters: Filters) => ListQuery<Sort>,
): Promise<Response> {
  const { db } = context.get(servicesContext);
  const { searchParams } = new URL(request.url);
  const filters = readFilters(searchParams, list.filters);
  const state = readListState(searchParams, list);
  const what = {
    permission: factsOfPattern(pattern).see as Permission,
    action,
    subject: { type: "operator", id: context.get(operatorContext).id },
    why: whatIsExported(list, { filters, state }),
  } as const;
  await actForFile(context, what, async () => true);
  const columns = list.columns.filter(({ csv }) => csv !== undefined);
  const rows = eachListRow<Row, Sort>(db, query(filters), state);
  const encoder = new TextEncoder();
  // Spreadsheets need a byte order mark to read UTF-8.
  const head = `\uFEFF${csvLine(columns.map(({ label }) => label))}`;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      const { value, done } = await rows.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(csvLine(columns.map(({ csv }) => cellOf(csv?.(value))))));
    },
    cancel: async () => void (await rows.return(undefined)),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${list.name}.csv"`,
    },
  });
}

/** Returns a moment as a spreadsheet reads it, in London's time as the pages have it; any other value as it is. */
function cellOf(value: unknown): unknown {
  return value instanceof Date ? toLondon(value).replace("T", " ") : value;
}

/**
 * Returns what was asked for, as the parameters of the address. A search text may name a member, and the log is kept after an account is
 * deleted: the log says that a text was given, not which.
 */
function whatIsExported<Row, Sort extends string>(
  { name, filters: known }: List<Row, Sort>,
  { filters, state: { sort, isDescending } }: Pick<LoadedList<Row, Sort>, "filters" | "state">,
): string {
  const set = known.flatMap((filter) => {
    const value = filters[filter.name];
    if (value === undefined) return [];
    return filter.kind === "text" ? [`${filter.name}: something typed`] : [`${filter.name}: ${value}`];
  });
  return [`CSV of ${name}`, ...set, `order: ${isDescending ? "-" : ""}${sort}`].join("; ").slice(0, 500);
}
