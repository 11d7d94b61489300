import { commandLine } from "../command-line.ts";
import { archiveFolders, findAwayArchive, readSystemId } from "@farthing/db/backups/archive.ts";
import { measureArchive, readArchiveState } from "@farthing/db/backups/archive-state.ts";
import { expireBackups, makeBaseBackup } from "@farthing/db/backups/base-backup.ts";
import type { BackupManifest } from "@farthing/db/backups/manifest.ts";
import type { Db } from "@farthing/db/client.ts";
import { counted } from "../doctor/finding.ts";
import { lookAtBackup } from "../doctor/look-at-backup.ts";

export const BACKUP_USAGE = `${commandLine("backup [list | check]")}

  (nothing)  makes a base backup of the embedded database now, reads it back, and deletes those beyond BACKUPS_KEPT
  list       base backups, the oldest first, and what they take on the disk
  check      the last base backup, the last archived file of the log, and gaps; exits with 1 where a restore would fail

BACKUP_DIR says where they are (docs/operations/backup.md). With DATABASE_URL, the server's own tools make them.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class BackupActionError extends Error {}

export interface BackupActionParts {
  db: Db;
  url: string;
  /** The data folder of the embedded database; null: DATABASE_URL names another. */
  dataFolder: string | null;
  backupDir: string | null;
  backupsKept: number;
  keyFingerprint: string;
  now(): Date;
}

/**
 * Runs one action of `npm run backup` from its typed words. Returns the lines to print.
 * @throws BackupActionError or BackupError that says what to do
 */
export async function runBackupAction(parts: BackupActionParts, words: readonly string[]): Promise<string[]> {
  const [name, ...more] = words;
  if (more.length > 0 || !["list", "check", undefined].includes(name)) throw new BackupActionError(BACKUP_USAGE);
  if (name === "check") return await check(parts);
  const { dataFolder, backupDir } = parts;
  if (dataFolder === null)
    throw new BackupActionError(
      "The database of DATABASE_URL is backed up by its own server: docs/operations/backup.md shows how, with pgBackRest.",
    );
  if (backupDir === null)
    throw new BackupActionError("Set BACKUP_DIR, stop every process of Farthing, and start them again.");
  return name === "list" ? list(dataFolder, backupDir) : await make(parts, dataFolder, backupDir);
}

async function make(parts: BackupActionParts, dataFolder: string, backupDir: string): Promise<string[]> {
  const begun = performance.now();
  const made = await makeBaseBackup({ ...parts, dataFolder, backupDir });
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const expired = expireBackups(archiveFolders(backupDir, made.systemId), parts.backupsKept);
  return [
    `Base backup ${describe(made)}, in ${seconds} seconds, read back and the same.`,
    ...(expired.backups + expired.segments > 0
      ? [
          `Deleted ${counted(expired.backups, "older base backup")} and ${counted(expired.segments, "file")} of the log that no other needs.`,
        ]
      : []),
    `What it holds encrypted needs the FARTHING_SECRET with the fingerprint ${made.keyFingerprint}. It is not in the backup: keep it elsewhere.`,
  ];
}

function list(dataFolder: string, backupDir: string): string[] {
  const away = findAwayArchive(backupDir, dataFolder);
  if (away !== null) throw new BackupActionError(`${away.says} ${away.remedy}`);
  const folders = archiveFolders(backupDir, readSystemId(dataFolder));
  const { backups, leftBehind, faults } = readArchiveState(folders);
  if (backups.length + leftBehind.length + faults.length === 0)
    return [`There is no base backup yet: ${commandLine("backup")} makes one.`];
  const bytes = measureArchive(folders);
  return [
    ...backups.map((backup) => `${describe(backup)}, secret ${backup.keyFingerprint}`),
    ...leftBehind.map(({ id }) => `${id}: of a time that a restore to an earlier moment has left behind`),
    ...faults,
    `${folders.root}: ${megabytes(bytes.base)} of base backups, ${megabytes(bytes.wal)} of log`,
  ];
}

function describe({ id, finishedAt, files, bytes }: BackupManifest): string {
  return `${id}: ${counted(files.length, "file")}, ${megabytes(bytes)}, restores to ${finishedAt} or later`;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 100_000) / 10} MB`;

async function check({ db, url, dataFolder, backupDir, now }: BackupActionParts): Promise<string[]> {
  const findings = await lookAtBackup({ db, url, embeddedFolder: dataFolder }, { backupDir, now: now() });
  const lines = findings.map(({ level, says, remedy }) => `${level}  ${says}${remedy === null ? "" : ` ${remedy}`}`);
  if (findings.some(({ level }) => level === "wrong")) throw new BackupActionError(lines.join("\n"));
  return lines;
}
