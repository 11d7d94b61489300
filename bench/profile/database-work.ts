import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

/** Linux counts processor time in hundredths of a second on every platform that Node supports. */
const CLOCK_TICK_MS = 10;

/** PostgreSQL's settings without which `DatabaseWork` counts nothing. */
export const countingSettings = {
  shared_preload_libraries: "pg_stat_statements",
  // The connection that measures must not be counted, nor utility statements.
  "pg_stat_statements.track_utility": "off",
} as const;

/** What one request costs PostgreSQL, on average. */
export interface RequestCost {
  statements: number;
  /** Processor time of PostgreSQL's processes: parsing, planning, executing and answering. */
  ms: number;
  /** Rows read from tables and indexes, whether or not they were returned. */
  rows: number;
}

/** Measures the work of PostgreSQL for the other clients of a database: start it with `countingSettings`. */
export class DatabaseWork {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async prepare(): Promise<void> {
    await this.#pool.query("create extension if not exists pg_stat_statements");
  }

  /** Sends `requests` requests one after the other, after `warmUp` that are not measured, and returns their average. */
  async of(
    request: () => Promise<void>,
    { requests, warmUp }: { requests: number; warmUp: number },
  ): Promise<RequestCost> {
    await this.#disconnectOthers();
    const rowsBefore = await this.#rowsRead();
    for (let sent = 0; sent < warmUp; sent += 1) await request();
    await this.#pool.query("select pg_stat_statements_reset()");
    const before = await this.#processorMs();
    for (let sent = 0; sent < requests; sent += 1) await request();
    const after = await this.#processorMs();
    const { rows: counted } = await this.#pool.query<{ statements: number }>(
      "select coalesce(sum(calls), 0)::int as statements from pg_stat_statements where query not like '%pg_stat_%'",
    );
    await this.#disconnectOthers();
    const rows = (await this.#rowsRead()) - rowsBefore;
    return {
      statements: counted[0]!.statements / requests,
      ms: (after - before) / requests,
      rows: rows / (requests + warmUp),
    };
  }

  /** Processor time of the processes that serve the other clients. */
  async #processorMs(): Promise<number> {
    const { rows } = await this.#pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rows.map(({ pid }) => processorMsOf(pid)).reduce((sum, ms) => sum + ms, 0);
  }

  /** Ends the connections of other clients, which reconnect: a process reports the rows it has read when it ends. */
  async #disconnectOthers(): Promise<void> {
    const others =
      "from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()";
    await this.#pool.query(`select pg_terminate_backend(pid) ${others}`);
    while ((await this.#pool.query(`select ${others}`)).rowCount !== 0) await delay(20);
  }

  async #rowsRead(): Promise<number> {
    await this.#pool.query("select pg_stat_clear_snapshot()");
    const { rows } = await this.#pool.query<{ read: number }>(
      `select ((select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables)
        + (select sum(idx_tup_read) from pg_stat_user_indexes))::bigint as read`,
    );
    return rows[0]!.read;
  }
}

/** Returns the processor time that a process has used so far, in ms. */
export function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}
