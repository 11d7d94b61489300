import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";

const MARK = "/* keep plan */";

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
    client.query = ((...parts: unknown[]) => {
      const [text, values, callback] = parts;
      const isMarked =
        typeof text === "string" && text.startsWith(MARK) && Array.isArray(values) && callback === undefined;
      return areNamesCarried && isMarked ? queryNamed(text, values) : query(...parts);
    }) as typeof client.query;
  });
}

/** Returns a name derived from the text, so that a name means the same statement on every connection and server. */
function nameOf(text: string, names: Map<string, string>): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `kept_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}
