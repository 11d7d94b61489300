import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Term } from "./rules.ts";

const DAY_MS = 86_400_000;
/** How long before their term rows of large tables are dealt with at the latest (Term.isLarge). */
const LOOK_BACK_DAYS = 400;
/** Rows of one statement: each holds its locks for milliseconds. */
const ROWS_AT_A_TIME = 1_000;

/**
 * Deletes or empties all rows of a table whose term is over, a batch at a time, each in a transaction of its own. Several workers share the
 * work: each leaves what another has locked. Returns the number of rows. `ending` stops it after a batch.
 */
export async function forgetOld(
  db: Db,
  { table, term, now, ending }: { table: string; term: Term; now: Date; ending?: AbortSignal },
): Promise<number> {
  const { days, since, where, empties, isLarge = false } = term;
  const before = new Date(now.getTime() - days * DAY_MS);
  const after = isLarge ? new Date(before.getTime() - LOOK_BACK_DAYS * DAY_MS) : null;
  const old = sql`select record.ctid from ${sql.table(table)} record
    where ${sql.raw(since)} < ${before} ${after ? sql`and ${sql.raw(since)} >= ${after}` : sql``}
      ${where === undefined ? sql`` : sql`and (${bound(where, before)})`}
    limit ${ROWS_AT_A_TIME} for update of record skip locked`;
  const begin = empties
    ? sql`update ${sql.table(table)} set ${sql.raw(
        Object.entries(empties.set)
          .map(([column, value]) => `${column} = ${value}`)
          .join(", "),
      )}`
    : sql`delete from ${sql.table(table)}`;
  for (let total = 0; ;) {
    const { numAffectedRows = 0n } = await sql`${begin} where ctid = any(array(${old}))`.execute(db);
    total += Number(numAffectedRows);
    if (numAffectedRows < ROWS_AT_A_TIME || ending?.aborted) return total;
  }
}

function bound(where: string, before: Date) {
  return sql.join(
    where.split("$before").map((part) => sql.raw(part)),
    sql`${before}`,
  );
}
