import {
  chmodSync,
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { reachableDataFolder, serverAccount, type ServerAccount } from "../embedded-location.ts";
import { startEmbedded, type EmbeddedServer } from "../embedded.ts";
import {
  archiveFolders,
  BackupError,
  missingSegments,
  parseSegment,
  restoreCommand,
  type ArchiveFolders,
} from "./archive.ts";
import { type LogLine, readLogLine } from "./log-line.ts";
import { copyHashed, FILES_FOLDER, listBaseBackups, verifyFiles, type BackupManifest } from "./manifest.ts";

export interface RestoreOptions {
  /** BACKUP_DIR of the lost installation or a copy of it, or the folder of one cluster in it. */
  from: string;
  /** The data folder that is made; nothing may be there. */
  folder: string;
  /** The moment up to which commits are restored; by default all that were archived. */
  at?: Date | undefined;
  log(line: string): void;
}

export interface Restored {
  backup: BackupManifest;
  /** When the last commit was made that is there; null: none was made after the base backup. */
  lastCommitAt: Date | null;
  /** The data folder; differs from the requested one as `startEmbedded`'s does. */
  folder: string;
}

/**
 * Restores a cluster of the embedded server from a base backup and the archived write-ahead log (R1). Reads and checks every
 * file before it writes anything. The data appear under their name when the recovery has ended; a restore that was killed
 * leaves a folder that the next one removes.
 * @throws BackupError that names what is missing, torn or changed, or says why the moment can't be reached.
 */
export async function restoreBackup({ from, folder: wanted, at, log }: RestoreOptions): Promise<Restored> {
  const account = serverAccount();
  const folder = reachableDataFolder(wanted, account);
  const [work, walCopy] = [`${folder}.restoring`, `${folder}.restoring-wal`];
  refuseUsedFolder(folder);
  const archive = findArchive(from);
  const line = readLogLine(archive.wal);
  if (line.faults.length > 0) throw new BackupError(line.faults.join(" "));
  const backup = await chooseBackup(archive.base, { at, line, log });
  const backupFolder = path.join(archive.base, backup.id);
  const wal = await verifySegments({ wal: archive.wal, line, backup, toItsEnd: at === undefined });
  log(`Checked ${wal.length} files of the write-ahead log`);

  for (const left of [work, walCopy, `${work}.log`]) rmSync(left, { recursive: true, force: true });
  const makeFolder = (made: string) => {
    mkdirSync(made, { recursive: true });
    chmodSync(made, 0o700);
    if (account) chownSync(made, account.uid, account.gid);
  };
  // Not synced here: the server syncs its whole folder before it replays (recovery_init_sync_method).
  const bring = async (source: string, target: string) => {
    const copy = await copyHashed(source, target);
    if (account) chownSync(target, account.uid, account.gid);
    return copy;
  };
  makeFolder(work);
  for (const made of backup.folders) makeFolder(path.join(work, made));
  for (const file of backup.files) {
    const source = path.join(backupFolder, FILES_FOLDER, file.path);
    const { sha256 } = await bring(source, path.join(work, file.path));
    if (sha256 !== file.sha256) throw new BackupError(`${source} changes while it is read.`);
  }
  // A copy, because the server's account may not be allowed to read the archive.
  makeFolder(walCopy);
  for (const file of wal) await bring(path.join(archive.wal, file), path.join(walCopy, file));
  log("Copied; the database replays its log");
  const lastCommitAt = await recover({ work, walCopy, account, at, log });
  rmSync(walCopy, { recursive: true });
  renameSync(work, folder);
  rmSync(`${work}.log`, { force: true });
  return { backup, lastCommitAt, folder };
}

/** What a new disk or a home folder has, and what Farthing makes at its start. */
const HARMLESS = /^(lost\+found|tmp|\..+)$/;

/** A restore must never replace data. What a killed restore left is not data. */
function refuseUsedFolder(folder: string): void {
  const parent = path.dirname(folder);
  const own = path.basename(folder);
  const others = (existsSync(parent) ? readdirSync(parent) : []).filter(
    (name) => !name.startsWith(`${own}.restoring`) && !HARMLESS.test(name),
  );
  if (others.length > 0)
    throw new BackupError(
      `${parent} is not empty (it has ${others[0]}): a restore needs an empty folder, and replaces nothing.`,
    );
}

/** Returns the folders of the one cluster whose backups are in `from`. */
function findArchive(from: string): ArchiveFolders {
  const folder = path.resolve(from);
  if (existsSync(path.join(folder, "base"))) return archiveFolders(path.dirname(folder), path.basename(folder));
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter(
    (name) => existsSync(path.join(folder, name, "base")) && readdirSync(path.join(folder, name, "base")).length > 0,
  );
  const [name, ...others] = names;
  if (name === undefined) throw new BackupError(`There is no backup in ${folder}.`);
  if (others.length > 0)
    throw new BackupError(
      `${folder} has the backups of ${names.length} databases: name one of ${names.map((each) => path.join(folder, each)).join(", ")}.`,
    );
  return archiveFolders(folder, name);
}

/**
 * Returns the newest base backup from before the moment whose files are whole. An older one does as well, as the log goes on from it. One that an
 * earlier restore has left behind is none: no log leads on from it.
 * @throws BackupError that says what is wrong with the newest, where none is whole.
 */
async function chooseBackup(
  base: string,
  { at, line, log }: Pick<RestoreOptions, "at" | "log"> & { line: LogLine },
): Promise<BackupManifest> {
  const { backups: all, faults } = listBaseBackups(base);
  for (const fault of faults) log(fault);
  const backups = all.filter((backup) => line.leadsOnFrom(backup));
  if (backups.length < all.length)
    log(`Left out ${all.length - backups.length} of a time that an earlier restore has left behind`);
  const early = backups.filter(({ finishedAt }) => at === undefined || Date.parse(finishedAt) <= at.getTime());
  const broken: string[] = [];
  for (const backup of early.toReversed()) {
    log(`Checking the base backup of ${backup.finishedAt}: ${backup.files.length} files`);
    try {
      await verifyFiles(path.join(base, backup.id), backup);
      return backup;
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      log(error.message);
      broken.push(error.message);
    }
  }
  const oldest = backups[0];
  throw new BackupError(
    oldest && early.length === 0
      ? `The oldest base backup ended at ${oldest.finishedAt}: nothing before that can be restored.`
      : ["There is no whole base backup: the archived log alone can't be restored.", ...broken, ...faults].join(" "),
  );
}

const SEGMENT_BYTES = 16 * 1024 * 1024;

/**
 * Returns the files of the log that a restore reads, after it has read each. A restore to a moment may end before a gap; without a
 * moment, a gap would silently end the restore there, so it is refused.
 */
async function verifySegments({
  wal,
  line,
  backup,
  toItsEnd,
}: {
  wal: string;
  line: LogLine;
  backup: BackupManifest;
  toItsEnd: boolean;
}): Promise<string[]> {
  const from = parseSegment(backup.startSegment)?.position ?? 0;
  const stop = parseSegment(backup.stopSegment)?.position ?? 0;
  const segments = line.segments.filter(({ position }) => position >= from);
  const last = segments.at(-1)?.position ?? -1;
  const missing = missingSegments(segments, from);
  const needed = missing.filter((name) => toItsEnd || (parseSegment(name)?.position ?? 0) <= stop);
  if (last < stop) needed.push(backup.stopSegment);
  if (needed.length > 0)
    throw new BackupError(
      `${path.join(wal, `${needed[0]}.gz`)} is missing${needed.length > 1 ? `, and ${needed.length - 1} more` : ""}: ${
        last < stop || (parseSegment(needed[0] ?? "")?.position ?? 0) <= stop
          ? "this base backup can't be restored without it."
          : "what was committed after it can't be restored. Name a moment before it with --at."
      }`,
    );
  for (const { name } of segments) await verifySegment(path.join(wal, `${name}.gz`));
  return [...segments.map(({ name }) => `${name}.gz`), ...line.histories];
}

/** gzip has a checksum of what it holds (RFC 1952). */
async function verifySegment(file: string): Promise<void> {
  let size = 0;
  const count = new Writable({
    write(part: Buffer, _encoding, done) {
      size += part.length;
      done();
    },
  });
  try {
    await pipeline(createReadStream(file), createGunzip(), count);
  } catch {
    size = -1;
  }
  if (size !== SEGMENT_BYTES)
    throw new BackupError(
      `${file} is torn. Bring another copy of it, or move it away to restore what was committed before it.`,
    );
}

interface Recovery {
  work: string;
  walCopy: string;
  account: ServerAccount | null;
  at: Date | undefined;
  log(line: string): void;
}

/** Lets the server replay the log in the work folder, until it has been promoted, and stops it. */
async function recover({ work, walCopy, account, at, log }: Recovery): Promise<Date | null> {
  const signal = path.join(work, "recovery.signal");
  writeFileSync(signal, "", { mode: 0o600 });
  if (account) chownSync(signal, account.uid, account.gid);
  const logFile = `${work}.log`;
  let server: EmbeddedServer;
  try {
    server = await startEmbedded({
      folder: work,
      settings: {
        restore_command: restoreCommand(walCopy),
        recovery_target_action: "promote",
        ...(at ? { recovery_target_time: at.toISOString().replace("T", " ").replace("Z", "+00") } : {}),
        // Nothing of this recovery may reach the archive of an installation that still runs.
        archive_mode: "off",
      },
      // It replays the log of a day or more before it answers.
      startTimeoutMs: Number.POSITIVE_INFINITY,
      log,
    });
  } catch (error) {
    throw recoveryFault(logFile, at) ?? error;
  }
  try {
    const lastCommitAt = await untilPromoted(server, logFile, at);
    return lastCommitAt;
  } finally {
    await server.stop({ evenIfUsed: true });
    announceTimeline(work, account);
  }
}

/** Returns what is wrong with the moment, where the server's log says that it ended before it; otherwise null. */
function recoveryFault(logFile: string, at: Date | undefined): BackupError | null {
  const text = existsSync(logFile) ? readFileSync(logFile, "utf8") : "";
  if (!text.includes("recovery ended before configured recovery target was reached")) return null;
  const last = /last completed transaction was at log time ([^\n]+)/.exec(text)?.[1];
  return new BackupError(
    `The archive ends before ${at?.toISOString() ?? "that moment"}${last ? `: its last commit is of ${last}` : ""}. Restore without --at to have all of it.`,
  );
}

/** How often the recovery is looked at, in ms. It ends by itself. */
const POLL_MS = 100;

async function untilPromoted(server: EmbeddedServer, logFile: string, at: Date | undefined): Promise<Date | null> {
  for (;;) {
    const client = new pg.Client({ connectionString: server.url });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ isOver: boolean; lastCommitAt: Date | null }>(
        'select not pg_is_in_recovery() as "isOver", pg_last_xact_replay_timestamp() as "lastCommitAt"',
      );
      if (rows[0]?.isOver) return rows[0].lastCommitAt;
    } catch (error) {
      const fault = recoveryFault(logFile, at);
      if (fault) throw fault;
      if (!existsSync(path.join(server.folder, "postmaster.pid"))) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
    await delay(POLL_MS);
  }
}

/**
 * Marks the history of the new timeline for the archive: without it, a later restore would not find the way from the old
 * timeline to the new one.
 */
function announceTimeline(work: string, account: ServerAccount | null): void {
  const wal = path.join(work, "pg_wal");
  for (const name of readdirSync(wal).filter((each) => /^[0-9A-F]{8}\.history$/.test(each))) {
    const mark = path.join(wal, "archive_status", `${name}.ready`);
    if (existsSync(mark.replace(/ready$/, "done"))) continue;
    writeFileSync(mark, "", { mode: 0o600 });
    if (account) chownSync(mark, account.uid, account.gid);
  }
}
