import { commandLine } from "../command-line.ts";
import { statSync } from "node:fs";
import { archiveFolders, findAwayArchive, parseSegment, readSystemId } from "@farthing/db/backups/archive.ts";
import { type ArchiveState, readArchiveState } from "@farthing/db/backups/archive-state.ts";
import { type Archiver, isArchivingFailing, readArchiver } from "@farthing/db/backups/archiver.ts";
import { counted, dayAndTime, type Finding, type FoundDatabase, listed, look, ok, wrong } from "./finding.ts";

/** Reads and judges the backup: the archive of the write-ahead log, and base backups where they are ours. */
export async function lookAtBackup(
  { db, embeddedFolder }: FoundDatabase,
  { backupDir, now }: { backupDir: string | null; now: Date },
): Promise<Finding[]> {
  if (embeddedFolder !== null && backupDir === null)
    return [
      look(
        "The embedded database has no backup.",
        `Set BACKUP_DIR and run ${commandLine("backup")} each night (docs/operations/backup.md).`,
      ),
    ];
  const archive = await readArchiver(db);
  if (embeddedFolder === null || backupDir === null) return archiveFindings(archive, now);
  const away = findAwayArchive(backupDir, embeddedFolder);
  if (away !== null)
    return [wrong(away.says, `${away.remedy} Until then the log is kept on the database’s disk, and fills it.`)];
  const folders = archiveFolders(backupDir, readSystemId(embeddedFolder));
  return embeddedFindings({
    ...{ archive, now, state: readArchiveState(folders), writes: archive.writes },
    isOnSameDisk: isOnSameDisk(backupDir, embeddedFolder),
  });
}

function isOnSameDisk(one: string, other: string): boolean {
  const [a, b] = [one, other].map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev);
  return a !== undefined && a === b;
}

const DAY_MS = 86_400_000;

/** Returns what the archive means. PostgreSQL does not list base backups: their tool does. Pure. */
export function archiveFindings(archive: Omit<Archiver, "writes">, now: Date): Finding[] {
  const { mode, archivedAt, failedAt, endsWithBackup } = archive;
  if (mode === "off")
    return [
      look(
        "The database archives no write-ahead log, and does not know of dumps.",
        "Archive it with pgBackRest, or make sure that a dump is taken each night and was restored once (docs/operations/backup.md).",
      ),
    ];
  if (failedAt !== null && isArchivingFailing(archive)) return [archivingFails(failedAt)];
  if (archivedAt === null || now.getTime() - archivedAt.getTime() > DAY_MS)
    return [
      look(
        archivedAt === null
          ? "The database has archived no write-ahead log yet."
          : `The last write-ahead log was archived at ${dayAndTime(archivedAt)}.`,
        "Set archive_timeout, for example to 1 minute, and see that the archive grows.",
      ),
    ];
  return [
    ok(
      `The last write-ahead log was archived at ${dayAndTime(archivedAt)}${endsWithBackup ? ", at the end of a base backup" : ""}; base backups are listed by the tool that takes them.`,
    ),
  ];
}

function archivingFails(failedAt: Date): Finding {
  return wrong(
    `Archiving write-ahead log fails since ${dayAndTime(failedAt)}.`,
    "Look at the server’s log: until it works there is no backup after that moment, and the disk fills.",
  );
}

export interface EmbeddedBackup {
  archive: Omit<Archiver, "writes">;
  state: ArchiveState;
  /** The segment that the server writes now. */
  writes: string;
  isOnSameDisk: boolean;
  now: Date;
}

/** Full segments that may wait for the archive at one moment. */
const MAX_WAITING = 3;
/** A base backup each night, and one that failed. */
const MAX_AGE_MS = 2 * DAY_MS;

/** Returns what the backups of the embedded database mean. Pure. */
export function embeddedFindings({ archive, state, writes, isOnSameDisk: isNear, now }: EmbeddedBackup): Finding[] {
  const { mode, failedAt } = archive;
  const { backups, faults, lastSegment, missing } = state;
  if (mode === "off")
    return [
      wrong(
        "BACKUP_DIR is set, but the running database does not archive to it.",
        "Stop every process of Farthing, and start them again.",
      ),
    ];
  const findings = faults.map((fault) => wrong(fault, `Move it away, and run ${commandLine("backup")}.`));
  if (failedAt !== null && isArchivingFailing(archive)) findings.push(archivingFails(failedAt));
  const waiting = (parseSegment(writes)?.position ?? 0) - 1 - (lastSegment?.position ?? 0);
  if (lastSegment !== null && waiting > MAX_WAITING)
    findings.push(
      look(
        `${waiting} files of the write-ahead log wait for the archive.`,
        "Look at the disk of BACKUP_DIR if this lasts.",
      ),
    );
  const last = backups.at(-1);
  if (!last)
    findings.push(
      wrong(
        "There is no base backup, and the archived log alone can’t be restored.",
        `Run ${commandLine("backup")}, now and each night.`,
      ),
    );
  else if (now.getTime() - Date.parse(last.finishedAt) > MAX_AGE_MS)
    findings.push(
      look(
        `The last base backup was made at ${dayAndTime(new Date(last.finishedAt))}.`,
        `Run ${commandLine("backup")} each night: the older it is, the longer a restore takes.`,
      ),
    );
  if (last && missing.length > 0)
    findings.push(
      wrong(
        `The archive lacks ${counted(missing.length, "file")} of the write-ahead log: ${listed(missing)}.`,
        `Bring them back from a copy, or run ${commandLine("backup")}: what comes after it can be restored.`,
      ),
    );
  if (isNear)
    findings.push(
      look(
        "BACKUP_DIR is on the database’s own disk.",
        "Copy it to another machine, or choose another disk: one fault would take both.",
      ),
    );
  if (findings.some(({ level }) => level === "wrong") || !last) return findings;
  return [
    ...findings,
    ok(
      `${counted(backups.length, "base backup")}, the last of ${dayAndTime(new Date(last.finishedAt))}; the log is archived until ${lastSegment ? dayAndTime(lastSegment.archivedAt) : "then"}.`,
    ),
  ];
}
