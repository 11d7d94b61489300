import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Database, Db } from "../client.ts";

/** A statement as it was sent, and how long its connection was busy with it. */
export interface NotedStatement {
  text: string;
  parameters: readonly unknown[];
  ms: number;
}

/** Opens the pool once more for tests and benchmarks that look at the statements themselves. `take` returns those since the last call. */
export function noteStatements(pool: pg.Pool): { db: Db; take(): NotedStatement[] } {
  let noted: NotedStatement[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query, queryDurationMillis: ms }) => void noted.push({ text: query.sql, parameters: query.parameters, ms }),
  });
  return {
    db,
    take() {
      const taken = noted;
      noted = [];
      return taken;
    },
  };
}
