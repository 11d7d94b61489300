import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";
import { IN_THE_WAY } from "./giving-way.ts";

/**
 * Fills in existing rows after a migration, in batches by key (R2). Its one statement takes $1, the last key that was looked at (text; null at first),
 * and $2, the maximum number of rows. It returns one row: `next`, the last key that it has looked at (text; null: there are no more rows), and `seen`,
 * the number of rows. It may be repeated on rows that are filled in.
 */
export interface Backfill {
  /** The file's name, such as `0072_members_initials.sql`. */
  name: string;
  sql: string;
}

export interface FilledBatch {
  /** `busy`: another process fills in a batch, or a row stayed locked for longer than `lockMs`. */
  outcome: "more" | "finished" | "busy";
  /** Rows that were looked at since the beginning. */
  rowsSeen: number;
}

/** Returns the backfills of a version, in the order of their names. */
export async function readBackfills(source: URL = new URL("./", import.meta.url)): Promise<Backfill[]> {
  const folder = new URL("backfills/", source);
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort() : [];
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), "utf8") })));
}

/**
 * Fills in the next batch, in one transaction. Several processes share a backfill, a batch each.
 * @throws Error with the backfill's name
 */
export async function fillBatch(
  client: pg.ClientBase,
  { name, sql }: Backfill,
  { maxRows = 1_000, lockMs = 1_000 }: { maxRows?: number; lockMs?: number } = {},
): Promise<FilledBatch> {
  await client.query("insert into backfills (name) values ($1) on conflict do nothing", [name]);
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${Math.max(1, Math.round(lockMs))}`);
    const { rows: states } = await client.query<{ after: string | null; seen: string; isFinished: boolean }>(
      `select after_key as after, rows_seen::text as seen, finished_at is not null as "isFinished" from backfills where name = $1 for update skip locked`,
      [name],
    );
    const [state] = states;
    if (!state || state.isFinished) {
      await client.query("rollback");
      return { outcome: state ? "finished" : "busy", rowsSeen: Number(state?.seen ?? 0) };
    }
    const { rows } = await client.query<{ next: string | null; seen: string }>(sql, [state.after, maxRows]);
    const { next = null, seen = 0 } = rows[0] ?? {};
    await client.query(
      `update backfills set after_key = coalesce($2, after_key), rows_seen = rows_seen + $3,
         finished_at = case when $2::text is null then clock_timestamp() end where name = $1`,
      [name, next, seen],
    );
    await client.query("commit");
    return { outcome: next === null ? "finished" : "more", rowsSeen: Number(state.seen) + Number(seen) };
  } catch (error) {
    // A connection that is lost can't roll back; what was lost first is the reason.
    await client.query("rollback").catch(() => {});
    if (IN_THE_WAY.has((error as { code?: string }).code ?? "")) return { outcome: "busy", rowsSeen: 0 };
    throw new Error(`The backfill ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

export interface UnfinishedBackfill {
  name: string;
  rowsSeen: number;
}

/** Returns which of a version's backfills are not finished in a database, and how far each is. */
export async function findUnfinished(
  client: pg.ClientBase,
  backfills: readonly Backfill[],
): Promise<UnfinishedBackfill[]> {
  const { rows: found } = await client.query<{ is: boolean }>("select to_regclass('backfills') is not null as is");
  const { rows } = found[0]?.is
    ? await client.query<{ name: string; seen: string; isFinished: boolean }>(
        `select name, rows_seen::text as seen, finished_at is not null as "isFinished" from backfills`,
      )
    : { rows: [] };
  const states = new Map(rows.map((row) => [row.name, row]));
  return backfills
    .filter(({ name }) => !states.get(name)?.isFinished)
    .map(({ name }) => ({ name, rowsSeen: Number(states.get(name)?.seen ?? 0) }));
}
