import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import {
  archiveFolders,
  archivesTo,
  BackupError,
  findAwayArchive,
  listSegments,
  parseSegment,
  readSystemId,
  type ArchiveFolders,
} from "./archive.ts";
import { readLogLine } from "./log-line.ts";
import {
  copyHashed,
  FILES_FOLDER,
  listBaseBackups,
  MANIFEST,
  PARTIAL,
  syncFolder,
  verifyFiles,
  type BackupFile,
  type BackupManifest,
} from "./manifest.ts";

export interface BackupOptions {
  /** A connection string of the server whose files are copied. */
  url: string;
  /** The server's data folder. */
  dataFolder: string;
  backupDir: string;
  /** Tells which secret the database's contents are encrypted with. */
  keyFingerprint: string;
  now(): Date;
  /** What writes the copy; tests give a disk that is full. */
  disk?: BackupDisk;
}

export interface BackupDisk {
  /** Returns the bytes that may still be written below a folder. */
  freeBytes(folder: string): number;
  copy: typeof copyHashed;
}

const realDisk: BackupDisk = {
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  copy: copyHashed,
};

/** Two backups at once would delete each other's files. Any number that nothing else locks. */
const LOCK = 7_205_318_401;
/** Nothing can be copied for good before the segments that belong to it are archived. */
const ARCHIVE_WAIT = "10min";

/**
 * Makes a base backup of a running server. It copies the files of the data folder between pg_backup_start and
 * pg_backup_stop (PostgreSQL's manual, 25.3.4). Then it waits until the segments that belong to the copy are archived, and
 * reads everything back. A backup that fails removes what it copied; one that is killed leaves a folder that nothing lists, and that the
 * next one removes.
 * @throws BackupError where the server does not archive to `backupDir`, that disk is away, another backup is under way, a disk is full or too small, or a copy
 * differs.
 */
export async function makeBaseBackup(options: BackupOptions): Promise<BackupManifest> {
  const { url, dataFolder, backupDir, now, disk = realDisk } = options;
  const systemId = readSystemId(dataFolder);
  const folders = archiveFolders(backupDir, systemId);
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the statement in progress rejects
  await client.connect();
  try {
    await refuseWithoutArchive(client, folders);
    refuseWithoutDisk(folders, options);
    const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [LOCK]);
    if (!rows[0]?.isFree) throw new BackupError("Another backup is under way.");
    removeInterrupted(folders.base);
    const startedAt = now();
    const id = startedAt
      .toISOString()
      .replace(/\.\d+Z$/, "Z")
      .replaceAll(":", "-");
    if (existsSync(path.join(folders.base, id))) throw new BackupError("A backup was made in this second already.");
    mkdirSync(folders.base, { recursive: true, mode: 0o700 });
    refuseWithoutSpace(disk.freeBytes(folders.base), { dataFolder, backupDir });
    const partial = path.join(folders.base, id + PARTIAL);
    try {
      return await writeBackup(client, { ...options, disk, id, startedAt, systemId, base: folders.base, partial });
    } catch (error) {
      // What is left of it would keep the disk full, and the log from being archived.
      rmSync(partial, { recursive: true, force: true });
      throw fullDisk(error, { dataFolder, backupDir }) ?? error;
    }
  } finally {
    await client.end();
  }
}

interface BackupWriting extends BackupOptions {
  disk: BackupDisk;
  id: string;
  startedAt: Date;
  systemId: string;
  base: string;
  partial: string;
}

async function writeBackup(client: pg.Client, writing: BackupWriting): Promise<BackupManifest> {
  const { dataFolder, disk, id, startedAt, systemId, base, partial, keyFingerprint } = writing;
  mkdirSync(path.join(partial, FILES_FOLDER), { recursive: true, mode: 0o700 });
  const copied = await copyCluster(client, dataFolder, path.join(partial, FILES_FOLDER), disk);
  const manifest: BackupManifest = {
    format: 1,
    id,
    systemId,
    startedAt: startedAt.toISOString(),
    finishedAt: copied.stoppedAt.toISOString(),
    ...{ postgres: copied.postgres, startSegment: copied.startSegment, stopSegment: copied.stopSegment },
    keyFingerprint,
    bytes: copied.files.reduce((sum, { size }) => sum + size, 0),
    ...{ folders: copied.folders, files: copied.files },
  };
  await verifyFiles(partial, manifest);
  await writePrivate(path.join(partial, MANIFEST), JSON.stringify(manifest));
  // One call for thousands of files: the whole file system is on the disk when it returns (syncfs).
  await promisify(execFile)("sync", ["-f", partial]);
  await rename(partial, path.join(base, id));
  await syncFolder(base);
  return manifest;
}

type Places = Pick<BackupOptions, "dataFolder" | "backupDir">;

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;

function refuseWithoutSpace(freeBytes: number, { dataFolder, backupDir }: Places): void {
  const needed = clusterBytes(dataFolder);
  if (freeBytes < needed)
    throw new BackupError(
      `The disk of BACKUP_DIR (${backupDir}) has ${megabytes(freeBytes)} free, and the database takes ${megabytes(needed)}: nothing was copied. Free some space there, or enlarge it.`,
    );
}

/** Returns the bytes of the files that a base backup copies. */
function clusterBytes(dataFolder: string): number {
  return [...entriesOf(dataFolder, "")]
    .filter(({ isFolder }) => !isFolder)
    .map((entry) => statSync(path.join(dataFolder, entry.path), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** Returns the sentence about a disk that has become full, Node's (the copy's disk) or PostgreSQL's (its own); otherwise null. */
function fullDisk(error: unknown, { dataFolder, backupDir }: Places): BackupError | null {
  const { code } = error as { code?: unknown };
  if (code === "ENOSPC" || code === "EDQUOT")
    return new BackupError(
      `The disk of BACKUP_DIR (${backupDir}) is full: what was copied has been removed; free some space there, or enlarge it, and make the backup again.`,
      { cause: error },
    );
  if (code !== "53100") return null;
  return new BackupError(
    `The disk of the database (${dataFolder}) is full: free some space there, and make the backup again.`,
    { cause: error },
  );
}

async function refuseWithoutArchive(client: pg.Client, { wal }: ArchiveFolders): Promise<void> {
  const { rows } = await client.query<{ mode: string; command: string }>(
    "select current_setting('archive_mode') as mode, current_setting('archive_command') as command",
  );
  if (rows[0]?.mode !== "on" || !archivesTo(rows[0].command, wal))
    throw new BackupError(
      "The running database does not archive to BACKUP_DIR: stop every process of Farthing, and start them with BACKUP_DIR set.",
    );
}

/** The server archives there, so that its start has made the folder: without it the backup would be made in an empty mount point. */
function refuseWithoutDisk({ wal }: ArchiveFolders, { backupDir, dataFolder }: Places): void {
  const away = findAwayArchive(backupDir, dataFolder);
  if (away !== null) throw new BackupError(`${away.says} ${away.remedy}`);
  if (!existsSync(wal))
    throw new BackupError(`${wal} is missing. Mount the disk of BACKUP_DIR, or start Farthing again.`);
}

function removeInterrupted(base: string): void {
  for (const name of existsSync(base) ? readdirSync(base) : [])
    if (name.endsWith(PARTIAL)) rmSync(path.join(base, name), { recursive: true });
}

interface CopiedCluster {
  postgres: string;
  startSegment: string;
  stopSegment: string;
  /** By the database's clock, as the commits whose times a restore compares with it. */
  stoppedAt: Date;
  folders: string[];
  files: BackupFile[];
}

async function copyCluster(
  client: pg.Client,
  dataFolder: string,
  to: string,
  { copy }: Pick<BackupDisk, "copy">,
): Promise<CopiedCluster> {
  const { rows: tablespaces } = await client.query("select from pg_tablespace where spcname !~ '^pg_'");
  if (tablespaces.length > 0)
    throw new BackupError("The database has tablespaces outside its folder, which this backup would leave out.");
  const { rows: started } = await client.query<{ postgres: string; startSegment: string }>(
    `select current_setting('server_version') as postgres,
       pg_walfile_name(pg_backup_start('farthing', fast => true)) as "startSegment"`,
  );
  const folders: string[] = [];
  const files: BackupFile[] = [];
  for (const entry of entriesOf(dataFolder, "")) {
    if (entry.isFolder) {
      folders.push(entry.path);
      mkdirSync(path.join(to, entry.path), { mode: 0o700 });
    } else {
      const copied = await copyUnlessGone(path.join(dataFolder, entry.path), path.join(to, entry.path), copy);
      if (copied) files.push({ path: entry.path, ...copied });
    }
  }
  files.push(await copyControlFile(dataFolder, to));
  await client.query(`set statement_timeout = '${ARCHIVE_WAIT}'`);
  const { rows: stopped } = await client
    .query<{ stopSegment: string; label: string; stoppedAt: Date }>(
      `select pg_walfile_name(stop.lsn) as "stopSegment", stop.labelfile as label, clock_timestamp() as "stoppedAt"
       from pg_backup_stop(wait_for_archive => true) as stop`,
    )
    .catch((error: Error & { code?: string }) => {
      if (error.code !== "57014") throw error;
      throw new BackupError("The write-ahead log was not archived in ten minutes: look at the database's log.");
    });
  const [start, stop] = [started[0], stopped[0]];
  if (!start || !stop) throw new BackupError("The database did not say where the backup begins and ends.");
  await writePrivate(path.join(to, "backup_label"), stop.label);
  const label = await copyHashed(path.join(to, "backup_label"), null);
  return { ...start, ...stop, folders, files: [...files, { path: "backup_label", ...label }] };
}

/** Folders whose contents belong to the running server; its start fills them. */
const EMPTIED = new Set([
  ...["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"],
]);
/** Of the running server, of an earlier backup, or (the control file) copied last. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|(recovery|standby)\.signal|current_logfiles.*|global\/pg_control)$|(^|\/)(pg_internal\.init|pgsql_tmp)/;

/** Returns the folders and files of a data folder, each folder before what is in it. Paths are relative. */
function* entriesOf(dataFolder: string, relative: string): Generator<{ path: string; isFolder: boolean }> {
  for (const entry of readdirSync(path.join(dataFolder, relative), { withFileTypes: true })) {
    const found = relative === "" ? entry.name : `${relative}/${entry.name}`;
    if (LEFT_OUT.test(found)) continue;
    if (entry.isFile()) yield { path: found, isFolder: false };
    if (!entry.isDirectory()) continue;
    yield { path: found, isFolder: true };
    if (!EMPTIED.has(found)) yield* entriesOf(dataFolder, found);
  }
}

/** A table that is dropped meanwhile is gone, and the write-ahead log says so. */
async function copyUnlessGone(
  from: string,
  to: string,
  copy: BackupDisk["copy"],
): Promise<{ size: number; sha256: string } | null> {
  try {
    return await copy(from, to);
  } catch (error) {
    const { code, path: missing } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && missing === from) return null;
    throw error;
  }
}

const CONTROL_FILE = "global/pg_control";

/** Copies the control file last. It is written in place: it is read until two readings agree. */
async function copyControlFile(dataFolder: string, to: string): Promise<BackupFile> {
  const from = path.join(dataFolder, CONTROL_FILE);
  let bytes = await readFile(from);
  for (let again = await readFile(from); !again.equals(bytes); again = await readFile(from)) bytes = again;
  const copy = path.join(to, CONTROL_FILE);
  await writePrivate(copy, bytes);
  return { path: CONTROL_FILE, ...(await copyHashed(copy, null)) };
}

function writePrivate(file: string, content: string | Buffer): Promise<void> {
  return writeFile(file, content, { flag: "wx", mode: 0o600 });
}

/**
 * Deletes base backups beyond the newest `keep`, and the segments that none of the kept ones needs. Returns how many of
 * each were deleted.
 */
export function expireBackups(
  { base, wal }: Pick<ArchiveFolders, "base" | "wal">,
  keep: number,
): { backups: number; segments: number } {
  const { backups } = listBaseBackups(base);
  const { leadsOnFrom } = readLogLine(wal);
  // One that a restore has left behind is not counted: it goes when those of its time go.
  const oldest = backups.filter(leadsOnFrom).at(-keep);
  const over = oldest ? backups.filter(({ id }) => id < oldest.id) : [];
  for (const { id } of over) {
    // A deletion that is interrupted leaves nothing that looks whole.
    renameSync(path.join(base, id), path.join(base, id + PARTIAL));
    rmSync(path.join(base, id + PARTIAL), { recursive: true });
  }
  const kept = backups.slice(over.length).map(({ startSegment }) => parseSegment(startSegment)?.position ?? 0);
  const needed = Math.min(...(kept.length > 0 ? kept : [0]));
  const segments = listSegments(wal).filter(({ position }) => position < needed);
  for (const { name } of segments) rmSync(path.join(wal, `${name}.gz`));
  return { backups: over.length, segments: segments.length };
}
