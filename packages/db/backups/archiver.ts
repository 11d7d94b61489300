import { sql } from "kysely";
import type { Db } from "../client.ts";

/** What PostgreSQL keeps of the archive of its write-ahead log. */
export interface Archiver {
  /** `archive_mode`: off, on or always. */
  mode: string;
  archivedAt: Date | null;
  failedAt: Date | null;
  /** True where the last file archived marks a base backup. */
  endsWithBackup: boolean;
  /** The segment that the server writes now; empty on a standby. */
  writes: string;
}

export async function readArchiver(db: Db): Promise<Archiver> {
  const { rows } = await sql<Archiver>`
    select current_setting('archive_mode') as mode, last_archived_time as "archivedAt", last_failed_time as "failedAt",
      coalesce(last_archived_wal like '%.backup', false) as "endsWithBackup",
      case when pg_is_in_recovery() then '' else pg_walfile_name(pg_current_wal_lsn()) end as writes
    from pg_stat_archiver`.execute(db);
  return rows[0]!;
}

/** Whether the last file could not be archived. */
export function isArchivingFailing({ failedAt, archivedAt }: Pick<Archiver, "failedAt" | "archivedAt">): boolean {
  return failedAt !== null && (archivedAt === null || failedAt > archivedAt);
}
