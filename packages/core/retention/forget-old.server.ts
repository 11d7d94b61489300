import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import pg from "pg";
import type { Term } from "./rules.ts";

const DAY_MS = 86_400_000;
/** How long before their term rows of large tables are dealt with at the latest (Term.isLarge). */
const LOOK_BACK_DAYS = 400;
/** Rows of one statement: each holds its locks for milliseconds. */
const ROWS_AT_A_TIME = 1_000;
/** Rows of one round that the database's own rules may refuse: more than a few point to a fault of the list. */
const MAX_REFUSED = 20;

/** The database's own rules have refused rows that the list says are past their term. The others were dealt with. */
export class RowsRefusedError extends Error {
  readonly done: number;

  constructor(table: string, { done, refused, reason }: { done: number; refused: number; reason: string }) {
    super(`${refused} rows of ${table} are past their term and can't be forgotten: ${reason}`);
    this.done = done;
  }
}

/**
 * Deletes or empties all rows of a table whose term is over, a batch at a time, each in a transaction of its own. Several workers share the
 * work: each skips rows that another has locked. Returns the number of rows. `ending` stops it after a batch. A row that the database refuses does not
 * keep the others.
 * @param isThorough looks at all rows of a large table, also those that were past their term long ago
 * @throws RowsRefusedError
 */
export async function forgetOld(
  db: Db,
  {
    table,
    term,
    now,
    ending,
    isThorough = false,
  }: { table: string; term: Term; now: Date; ending?: AbortSignal; isThorough?: boolean },
): Promise<number> {
  const { days, since, where, empties, isLarge = false } = term;
  const before = new Date(now.getTime() - days * DAY_MS);
  const after = isLarge && !isThorough ? new Date(before.getTime() - LOOK_BACK_DAYS * DAY_MS) : null;
  const old = (max: number, also: RawBuilder<unknown>) => sql<{
    ctid: string;
  }>`select record.ctid from ${sql.table(table)} record
    where ${sql.raw(since)} < ${before} ${after ? sql`and ${sql.raw(since)} >= ${after}` : sql``}
      ${where === undefined ? sql`` : sql`and (${bound(where, before)})`} ${also}
    limit ${max} for update of record skip locked`;
  const begin = empties
    ? sql`update ${sql.table(table)} set ${sql.raw(
        Object.entries(empties.set)
          .map(([column, value]) => `${column} = ${value}`)
          .join(", "),
      )}`
    : sql`delete from ${sql.table(table)}`;
  const forget = async (max: number, also: RawBuilder<unknown>) =>
    Number((await sql`${begin} where ctid = any(array(${old(max, also)}))`.execute(db)).numAffectedRows ?? 0n);

  const refused: string[] = [];
  const others = () => (refused.length === 0 ? sql`` : sql`and record.ctid <> all(${refused}::tid[])`);
  let [done, reason] = [0, ""];
  const isOver = () => ending?.aborted === true || refused.length >= MAX_REFUSED;
  while (!isOver()) {
    try {
      const rows = await forget(ROWS_AT_A_TIME, others());
      done += rows;
      if (rows < ROWS_AT_A_TIME) break;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await forgetEach();
    }
  }
  if (refused.length > 0) throw new RowsRefusedError(table, { done, refused: refused.length, reason });
  return done;

  /** Deals with the rows of a batch one by one, and notes those that are refused. */
  async function forgetEach(): Promise<void> {
    const { rows } = await old(ROWS_AT_A_TIME, others()).execute(db);
    for (const { ctid } of rows) {
      if (isOver()) return;
      try {
        done += await forget(1, sql`and record.ctid = ${ctid}::tid`);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        reason = (error as Error).message;
        refused.push(ctid);
      }
    }
  }
}

/** Whether a rule of the database speaks, such as `keep_for_accounts` (SQLSTATE P0001) or a key that points to the row (class 23). */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(P0|23)/.test(error.code ?? "");
}

function bound(where: string, before: Date) {
  return sql.join(
    where.split("$before").map((part) => sql.raw(part)),
    sql`${before}`,
  );
}
