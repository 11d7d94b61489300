import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { canReach, type ServerAccount } from "../embedded-location.ts";

/** A fault of a backup or an archive, in a sentence for the operator. */
export class BackupError extends Error {}

/**
 * The folders of one cluster's backups, `<BACKUP_DIR>/<system identifier>`. Two clusters never share one: each counts its
 * segments from the same number.
 */
export interface ArchiveFolders {
  root: string;
  /** Archived segments of the write-ahead log, compressed: `<name>.gz`. */
  wal: string;
  /** A folder for each base backup. */
  base: string;
}

/** Returns where a cluster's backups are. Creates nothing. */
export function archiveFolders(backupDir: string, systemId: string): ArchiveFolders {
  const root = path.join(path.resolve(backupDir), systemId);
  return { root, wal: path.join(root, "wal"), base: path.join(root, "base") };
}

/**
 * Returns the system identifier that initdb gave the cluster: the first eight bytes of its control file
 * (`ControlFileData` in PostgreSQL's catalog/pg_control.h).
 */
export function readSystemId(dataFolder: string): string {
  return readFileSync(path.join(dataFolder, "global", "pg_control"))
    .readBigUInt64LE(0)
    .toString();
}

/**
 * Creates the folders of a cluster's archive, open to the server's account alone.
 * @throws BackupError where that account can't write there.
 */
export function prepareArchive(backupDir: string, systemId: string, account: ServerAccount | null): ArchiveFolders {
  const folders = archiveFolders(backupDir, systemId);
  // Other accounts can't list the folders. The server's own, where root started it, has to pass through them.
  const mode = account ? 0o711 : 0o700;
  for (const folder of [path.dirname(folders.root), folders.root]) {
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true, mode });
    chmodSync(folder, mode);
  }
  for (const folder of [folders.base, folders.wal]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account && statSync(folders.wal).uid === 0) chownSync(folders.wal, account.uid, account.gid);
  if (account && !canReach(folders.wal, account))
    throw new BackupError(
      `The database runs as another account than root, which can't reach ${folders.wal}. Set BACKUP_DIR to a folder that every account may pass through, such as /var/backups/farthing.`,
    );
  return folders;
}

/** Beside the data folder: the archive that was set up for this cluster, by which a disk that is away is told from a new one. */
function archiveRecord(dataFolder: string): string {
  return `${dataFolder}.archive`;
}

/**
 * Sets up the archive of a cluster and records that it is. Of one that was set up before it makes nothing: in an empty mount point it would
 * take what belongs on the disk.
 * @throws BackupError where its disk is away, or the server's account can't write there.
 */
export function setUpArchive(backupDir: string, dataFolder: string, account: ServerAccount | null): ArchiveFolders {
  const away = findAwayArchive(backupDir, dataFolder);
  if (away !== null) throw new BackupError(`${away.says} ${away.remedy}`);
  const folders = prepareArchive(backupDir, readSystemId(dataFolder), account);
  if (recordedArchive(dataFolder) !== folders.root)
    writeFileSync(archiveRecord(dataFolder), `${folders.root}\n`, { mode: 0o600 });
  return folders;
}

function recordedArchive(dataFolder: string): string | null {
  const file = archiveRecord(dataFolder);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

/** Returns what to say and to do where the archive that was set up for a cluster is not there, as while its disk is not mounted; otherwise null. */
export function findAwayArchive(backupDir: string, dataFolder: string): { says: string; remedy: string } | null {
  const { root, wal } = archiveFolders(backupDir, readSystemId(dataFolder));
  if (existsSync(wal) || recordedArchive(dataFolder) !== root) return null;
  return {
    says: `The disk of BACKUP_DIR is away: ${wal} is missing, and the database has archived there.`,
    remedy: `Mount it. To begin anew on an empty disk, delete ${archiveRecord(dataFolder)} and start Farthing again.`,
  };
}

/** How long a segment that is not full waits for the archive: what can be lost with the machine, in seconds. */
export const ARCHIVE_TIMEOUT_SECONDS = 60;

/** Returns the server's settings by which it archives to a folder. */
export function archiveSettings(wal: string): Record<string, string> {
  return {
    archive_mode: "on",
    archive_timeout: `${ARCHIVE_TIMEOUT_SECONDS}s`,
    archive_command: archiveCommand(wal),
  };
}

/**
 * Returns the command that archives one segment, as PostgreSQL's manual asks of it (25.3.1): it says that it is done only
 * when the file is on the disk, and never replaces a file. `ln` refuses an existing name; a segment that is archived
 * already, before a crash, must be the same.
 */
export function archiveCommand(wal: string): string {
  const [file, part] = [inCommand(wal, "/%f.gz"), inCommand(wal, "/.%f.part")];
  const store = `gzip -1 -c "%p" > ${part} && sync ${part} && ln ${part} ${file} && rm ${part} && sync ${inCommand(wal)}`;
  return `umask 077; if test -e ${file}; then gzip -dc ${file} | cmp -s - "%p"; else ${store}; fi`;
}

/** Returns whether a server's archive_command stores in a folder. */
export function archivesTo(command: string, wal: string): boolean {
  return command.includes(inCommand(wal));
}

/** Returns the command that brings a segment back from a folder of compressed ones. */
export function restoreCommand(wal: string): string {
  const file = inCommand(wal, "/%f.gz");
  return `test -e ${file} && gzip -dc ${file} > "%p"`;
}

/** Quotes a folder, and a name in it with PostgreSQL's %f, for the shell and for PostgreSQL. */
function inCommand(folder: string, name = ""): string {
  return `'${folder.replaceAll("%", "%%").replaceAll("'", `'\\''`)}${name}'`;
}

/** A file of 16 MB of the write-ahead log. */
export interface Segment {
  name: string;
  timeline: number;
  /** Its place in the log: the next segment has the next number, on whatever timeline. */
  position: number;
}

/** 4 GB of the middle number of a name, in segments of 16 MB. */
export const SEGMENTS_PER_NAME = 256;

/** Returns the segment of a name such as `000000010000000A000000FF`, or null. */
export function parseSegment(name: string): Segment | null {
  const match = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name);
  if (!match) return null;
  const [timeline = 0, log = 0, segment = 0] = match.slice(1).map((digits) => Number.parseInt(digits, 16));
  return segment < SEGMENTS_PER_NAME ? { name, timeline, position: log * SEGMENTS_PER_NAME + segment } : null;
}

function segmentName(timeline: number, position: number): string {
  const parts = [timeline, Math.floor(position / SEGMENTS_PER_NAME), position % SEGMENTS_PER_NAME];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, "0")).join("");
}

/** Returns the archived segments in the order of the log; those of later timelines after those of earlier ones. */
export function listSegments(wal: string): Segment[] {
  if (!existsSync(wal)) return [];
  return readdirSync(wal)
    .flatMap((file) => (file.endsWith(".gz") ? [parseSegment(file.slice(0, -3))] : []))
    .filter((segment) => segment !== null)
    .toSorted((a, b) => a.position - b.position || a.timeline - b.timeline);
}

/** Returns the names of the segments that are missing from a position to the last archived one. */
export function missingSegments(segments: readonly Segment[], from: number): string[] {
  const missing: string[] = [];
  let [next, timeline] = [from, segments[0]?.timeline ?? 1];
  for (const segment of segments.filter(({ position }) => position >= from)) {
    for (; next < segment.position; next += 1) missing.push(segmentName(timeline, next));
    next = segment.position + 1;
    timeline = segment.timeline;
  }
  return missing;
}
