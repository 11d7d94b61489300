import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ImportProgress } from "./read-records.server.ts";

/** Thrown inside an import that somebody has stopped: nothing of it is kept. */
export class ImportStoppedError extends Error {
  /** An operator's address. */
  readonly by: string;
  constructor(by: string) {
    super(`Stopped by ${by}`);
    this.name = "ImportStoppedError";
    this.by = by;
  }
}

/** An import under way, for operators (A2). */
export interface ListedRun {
  id: string;
  source: string;
  startedBy: string;
  startedAt: Date;
  /** "waiting": another import runs. */
  stage: "waiting" | "reading" | "storing";
  rows: number;
  isStopped: boolean;
}

/** What an import tells others about itself while it runs. */
export interface ImportRun {
  /** @throws ImportStoppedError once somebody has stopped the import. */
  progress: ImportProgress;
  /** Does the import's work. Once somebody stops it, the statement under way in `trx` is cancelled. @throws ImportStoppedError */
  inTransaction<Result>(trx: Trx, work: () => Promise<Result>): Promise<Result>;
}

const HEARD_EVERY_MS = 1_000;
/** A process that was killed leaves its run behind. It is listed until it has been silent for so long. */
const SILENT = sql.raw("interval '1 minute'");
const QUERY_CANCELED = "57014";

/** What became of an import that somebody stopped. Nothing of it was written. */
export interface StoppedImport {
  outcome: "stopped";
  by: string;
}

/**
 * Lists an import as long as `work` runs, and lets operators stop it.
 * @param by an operator's address, or "command: …"
 */
export async function withImportRun<Result>(
  db: Db,
  { source, by }: { source: string; by: string },
  work: (run: ImportRun) => Promise<Result>,
): Promise<Result | StoppedImport> {
  const id = newId();
  await sql`delete from catalogue_import_runs where heard_at < clock_timestamp() - ${SILENT}`.execute(db);
  await sql`insert into catalogue_import_runs (id, source_name, started_by) values (${id}, ${source}, ${by})`.execute(
    db,
  );

  let state: { stage: ListedRun["stage"]; rows: number } = { stage: "waiting", rows: 0 };
  let stoppedBy: string | null = null;
  let transaction: { pid: number; began: string } | null = null;
  const tell = async () => {
    const { rows } = await sql<{ stoppedBy: string | null }>`
      update catalogue_import_runs set heard_at = clock_timestamp(), stage = ${state.stage}, rows_read = ${state.rows}
      where id = ${id} returning stopped_by as "stoppedBy"`.execute(db);
    stoppedBy ??= rows[0]?.stoppedBy ?? null;
    // By the transaction's beginning too: by now its connection may do somebody else's work.
    if (stoppedBy !== null && transaction !== null)
      await sql`select pg_cancel_backend(pid) from pg_stat_activity
        where pid = ${transaction.pid} and xact_start = ${transaction.began}::timestamptz`.execute(db);
  };
  let telling = Promise.resolve();
  let isTelling = false;
  const timer = setInterval(() => {
    if (isTelling) return;
    isTelling = true;
    // A database that does not answer ends the import by itself.
    telling = tell()
      .catch(() => {})
      .finally(() => {
        isTelling = false;
      });
  }, HEARD_EVERY_MS);

  const run: ImportRun = {
    progress({ stage, rows }) {
      state = { stage, rows };
      if (stoppedBy !== null) throw new ImportStoppedError(stoppedBy);
    },
    async inTransaction(trx, inside) {
      const { rows } = await sql<{ pid: number; began: string }>`
        select pg_backend_pid() as pid, pg_catalog.now()::text as began`.execute(trx);
      transaction = rows[0] ?? null;
      try {
        const result = await inside();
        // From here on it can't be stopped: whoever tries waits for the end of the transaction, and finds no run.
        stoppedBy ??= (await endRun(trx, id))?.stoppedBy ?? null;
        if (stoppedBy !== null) throw new ImportStoppedError(stoppedBy);
        return result;
      } catch (error) {
        if (stoppedBy !== null && (error as { code?: unknown }).code === QUERY_CANCELED)
          throw new ImportStoppedError(stoppedBy);
        throw error;
      } finally {
        transaction = null;
      }
    },
  };
  try {
    return await work(run);
  } catch (error) {
    if (error instanceof ImportStoppedError) return { outcome: "stopped", by: error.by };
    throw error;
  } finally {
    clearInterval(timer);
    await telling;
    // The import has its outcome: a run that is left here ends by its silence.
    await endRun(db, id).catch(() => {});
  }
}

async function endRun(db: Db | Trx, id: string): Promise<{ stoppedBy: string | null } | undefined> {
  const { rows } = await sql<{ stoppedBy: string | null }>`
    delete from catalogue_import_runs where id = ${id} returning stopped_by as "stoppedBy"`.execute(db);
  return rows[0];
}

/** Returns the imports under way, the oldest first. */
export async function findImportRuns(db: Db): Promise<ListedRun[]> {
  const { rows } = await sql<ListedRun>`
    select id, source_name as source, started_by as "startedBy", started_at as "startedAt", stage, rows_read as rows,
      stopped_by is not null as "isStopped"
    from catalogue_import_runs where heard_at > clock_timestamp() - ${SILENT} order by started_at, id`.execute(db);
  return rows;
}

/** Stops an import; it ends within a second or two. Returns false where it has ended already, or was stopped. */
export async function stopImportRun(db: Db, { id, by }: { id: string; by: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update catalogue_import_runs set stopped_by = ${by} where id::text = ${id} and stopped_by is null`.execute(db);
  return numAffectedRows === 1n;
}
