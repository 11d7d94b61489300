import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { schemaSteps } from "./schema-steps.ts";

/** A value of a row or a parameter. */
export type StateValue = SQLInputValue;

/**
 * The sandbox's state: one SQLite file.
 *
 * It uses WAL with synchronous=NORMAL: what a finished request wrote is with the operating system, so
 * `kill -9` of the sandbox loses nothing. Only a power failure can lose the last moments, which in a
 * sandbox are not worth an fsync per click.
 */
export class State {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens or creates the file; ":memory:" keeps the state in memory only. */
  constructor(file: string) {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
    this.#database = new DatabaseSync(file);
    this.#database.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000");
    this.#bringUpToDate();
  }

  #bringUpToDate(): void {
    const version = Number(this.one<{ user_version: number }>("pragma user_version")?.user_version ?? 0);
    for (const [index, step] of schemaSteps.entries()) {
      if (index < version) continue;
      this.transaction(() => {
        this.#database.exec(step);
        this.#database.exec(`pragma user_version = ${index + 1}`);
      });
    }
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Returns the first row, or undefined. The caller states the row's type, because SQLite has none. */
  one<Row>(sql: string, ...parameters: StateValue[]): Row | undefined {
    return this.#prepared(sql).get(...parameters) as Row | undefined;
  }

  /** Returns all rows. */
  all<Row>(sql: string, ...parameters: StateValue[]): Row[] {
    return this.#prepared(sql).all(...parameters) as Row[];
  }

  /** Changes rows. Returns the number of changed rows and the last row id. */
  run(sql: string, ...parameters: StateValue[]): { changes: number; lastId: number } {
    const done = this.#prepared(sql).run(...parameters);
    return { changes: Number(done.changes), lastId: Number(done.lastInsertRowid) };
  }

  /** Runs `work` in a transaction, which must not be nested. */
  transaction<T>(work: () => T): T {
    this.#database.exec("begin immediate");
    try {
      const result = work();
      this.#database.exec("commit");
      return result;
    } catch (error) {
      this.#database.exec("rollback");
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
