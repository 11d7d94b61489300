import type { Db } from "@farthing/db/client.ts";
import { type RawBuilder, sql } from "kysely";
import { writeCursor, type Cursor, type ListState } from "./list-schema.ts";

/** How a list is read. Fragments name the tables of `from` by their aliases. */
export interface ListQuery<Sort extends string> {
  from: RawBuilder<unknown>;
  /** The columns of a row: `record.name, record.created_at as "createdAt"`. */
  select: RawBuilder<unknown>;
  where: readonly RawBuilder<unknown>[];
  /** What each order goes by, never null, and its type. An index on (by, id) keeps a list fast. */
  sorts: Record<
    Sort,
    { by: RawBuilder<unknown>; type: "text" | "timestamptz" | "timestamp" | "bigint" | "date" | "uuid" | "xid8" }
  >;
  /** Makes the order total, and its type. */
  id: { by: RawBuilder<unknown>; type: "uuid" | "text" | "bigint" };
}

export interface ListPage<Row> {
  rows: Row[];
  /** The cursors of the pages beside this one; null at either end. */
  next: string | null;
  previous: string | null;
}

/**
 * Reads one page by keyset: the database goes straight to the row where the page begins, however far that is. Rows that
 * are added meanwhile shift nothing.
 */
export async function findListPage<Row, Sort extends string>(
  db: Db,
  query: ListQuery<Sort>,
  { sort, isDescending, after, before, size }: ListState<Sort>,
): Promise<ListPage<Row>> {
  const { by, type } = query.sorts[sort];
  const isBackwards = before !== null && after === null;
  const from = isBackwards ? before : after;
  const runsDown = isDescending !== isBackwards;
  const conditions = [...query.where, ...(from ? [beyond(query, { by, type }, from, runsDown)] : [])];
  const direction = runsDown ? sql`desc` : sql`asc`;
  const { rows } = await sql<Row & Keys>`
    select ${query.select}, (${by})::text as "cursorValue", (${query.id.by})::text as "cursorId"
    from ${query.from}
    where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
    order by ${by} ${direction}, ${query.id.by} ${direction} limit ${size + 1}`
    .execute(db)
    .catch((error: unknown) => {
      // A cursor that somebody wrote by hand: text where a time belongs.
      if (from && /^22/.test(String((error as { code?: unknown }).code))) return { rows: [] };
      throw error;
    });
  const hasMore = rows.length > size;
  const shown = rows.slice(0, size);
  if (isBackwards) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    rows: shown.map(withoutKeys),
    next: last && (isBackwards || hasMore) ? keyOf(last) : null,
    previous: first && (isBackwards ? hasMore : from !== null) ? keyOf(first) : null,
  };
}

const PAGE_OF_EXPORT = 1_000;

/**
 * Yields all rows of a list in its order, for a file. They are read page by page as they are wanted: a file of any length holds one page in memory, and
 * no connection between two pages.
 */
export async function* eachListRow<Row, Sort extends string>(
  db: Db,
  query: ListQuery<Sort>,
  state: ListState<Sort>,
): AsyncGenerator<Row> {
  let page: ListState<Sort> = { ...state, after: null, before: null, size: PAGE_OF_EXPORT };
  for (;;) {
    const { rows, next } = await findListPage<Row, Sort>(db, query, page);
    yield* rows;
    if (next === null) return;
    const cursor = JSON.parse(Buffer.from(next, "base64url").toString()) as [string, string];
    page = { ...page, after: { value: cursor[0], id: cursor[1] } };
  }
}

interface Keys {
  cursorValue: string;
  cursorId: string;
}

function beyond<Sort extends string>(
  { id }: ListQuery<Sort>,
  { by, type }: { by: RawBuilder<unknown>; type: string },
  { value, id: rowId }: Cursor,
  runsDown: boolean,
): RawBuilder<unknown> {
  const operator = runsDown ? sql`<` : sql`>`;
  return sql`(${by}, ${id.by}) ${operator} (${value}::${sql.raw(type)}, ${rowId}::${sql.raw(id.type)})`;
}

const keyOf = ({ cursorValue: value, cursorId: id }: Keys) => writeCursor({ value, id });

function withoutKeys<Row>({ cursorValue: _value, cursorId: _id, ...row }: Row & Keys): Row {
  return row as unknown as Row;
}
