import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";

const MARK = "/* keep plan */";
const DIRECT_MARK = "/* keep plan if direct */";

/**
 * Marks a read whose plan PostgreSQL keeps for as long as the connection lives. It comes first in the statement:
 * ``sql`${keepPlan} select …` ``.
 *
 * Use it for what every page reads, through several joins and the rules of what a brand shows: planning such a
 * statement takes longer than executing it. Do not use it within a transaction, or for statements whose text varies
 * without bound: plans are kept by text. Write a constant limit as `sql.lit(24)`, because PostgreSQL does not reuse a
 * plan whose limit is a parameter.
 */
export const keepPlan = sql.raw(MARK);

/**
 * As keepPlan, for a statement that may run within a transaction. The plan is kept only on a connection that leads to the
 * server itself: where a pooler loses the name, the error would end the transaction (docs/decisions/063).
 */
export const keepPlanIfDirect = sql.raw(DIRECT_MARK);

/**
 * Returns a value that the planner cannot see, for a column whose values differ much in their number of rows, such as the
 * member of a history. Given the value itself, PostgreSQL finds a plan for it cheaper than the kept one, and plans again
 * for every request.
 */
export function unseenByPlanner(value: unknown, type: "uuid" | "timestamptz"): RawBuilder<unknown> {
  return sql`(select ${value}::${sql.raw(type)})`;
}

/** SQLSTATEs that a pooler causes: invalid_sql_statement_name and duplicate_prepared_statement. */
const POOLER_CODES = new Set(["26000", "42P05"]);

/**
 * Makes the pool's connections execute marked statements as named prepared statements. A transaction pooler that does
 * not carry these over (PgBouncer before 1.21) is detected by its first error: that statement is sent again without a
 * name, and all later ones are sent without a name.
 */
export function keepMarkedPlans(pool: pg.Pool): void {
  const names = new Map<string, string>();
  let areNamesCarried = true;
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...parts: unknown[]) => unknown;
    const queryNamed = async (text: string, values: unknown[]): Promise<unknown> => {
      try {
        return await query({ name: nameOf(text, names), text, values });
      } catch (error) {
        if (!POOLER_CODES.has((error as pg.DatabaseError).code ?? "")) throw error;
        areNamesCarried = false;
        return await query(text, values);
      }
    };
    let isDirect: boolean | undefined;
    const queryIfDirect = async (text: string, values: unknown[]): Promise<unknown> => {
      isDirect ??= await leadsToServer(client, query);
      if (!isDirect) return query(text, values);
      try {
        return await query({ name: nameOf(text, names), text, values });
      } catch (error) {
        // Not sent again: the error has ended the transaction. The caller's next attempt is sent without a name.
        if (POOLER_CODES.has((error as pg.DatabaseError).code ?? "")) areNamesCarried = false;
        throw error;
      }
    };
    client.query = ((...parts: unknown[]) => {
      const [text, values, callback] = parts;
      if (!areNamesCarried || typeof text !== "string" || !Array.isArray(values) || callback !== undefined)
        return query(...parts);
      if (text.startsWith(MARK)) return queryNamed(text, values);
      return text.startsWith(DIRECT_MARK) ? queryIfDirect(text, values) : query(...parts);
    }) as typeof client.query;
  });
}

/**
 * Returns whether no pooler is between: a server announces its own process when a connection opens, and a pooler a number of
 * its own. Asked once for each connection.
 */
async function leadsToServer(client: pg.PoolClient, query: (text: string) => unknown): Promise<boolean> {
  const answer = (await query("select pg_backend_pid() as process")) as pg.QueryResult<{ process: number }>;
  return answer.rows[0]?.process === (client as { processID?: number }).processID;
}

/** Returns a name derived from the text, so that a name means the same statement on every connection and server. */
function nameOf(text: string, names: Map<string, string>): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `kept_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}
