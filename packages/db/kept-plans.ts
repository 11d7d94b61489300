import { createHash } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";

const MARK = "/* keep plan */";

/**
 * At the very start of a read, ``sql`${keepPlan} select …` ``: PostgreSQL keeps its plan for as long as the connection lives. For what every page
 * reads, through several joins and the rules of what a brand shows: planning such a statement takes longer than answering it. Not for statements
 * within a transaction, nor for texts that vary without end: plans are kept by text. Write a constant limit as `sql.lit(24)`: PostgreSQL keeps no plan
 * for a limit it does not know.
 */
export const keepPlan = sql.raw(MARK);

/** What PostgreSQL says when a statement was prepared on another of its connections than the one it is asked on. */
const POOLER_CODES = new Set(["26000", "42P05"]);

/**
 * Makes the pool's connections keep the plans of marked statements, as named prepared statements. A transaction pooler that does not carry these
 * over (PgBouncer before 1.21) is noticed by its first error: that statement is asked again without a name, and so are all that follow.
 */
export function keepMarkedPlans(pool: pg.Pool): void {
  const names = new Map<string, string>();
  let isCarried = true;
  pool.on("connect", (client) => {
    const ask = client.query.bind(client) as (...parts: unknown[]) => unknown;
    const askKeeping = async (text: string, values: unknown[]): Promise<unknown> => {
      try {
        return await ask({ name: nameOf(text, names), text, values });
      } catch (error) {
        if (!POOLER_CODES.has((error as pg.DatabaseError).code ?? "")) throw error;
        isCarried = false;
        return await ask(text, values);
      }
    };
    client.query = ((...parts: unknown[]) => {
      const [text, values, callback] = parts;
      const isMarked =
        typeof text === "string" && text.startsWith(MARK) && Array.isArray(values) && callback === undefined;
      return isCarried && isMarked ? askKeeping(text, values) : ask(...parts);
    }) as typeof client.query;
  });
}

/** The same text has the same name on every connection and server: whoever meets it there meets the same statement. */
function nameOf(text: string, names: Map<string, string>): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `kept_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}
