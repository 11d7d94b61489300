import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type ArchiveFolders, missingSegments, parseSegment, type Segment } from "./archive.ts";
import { readLogLine } from "./log-line.ts";
import { type BackupManifest, listBaseBackups } from "./manifest.ts";

/** What is in a cluster's archive. */
export interface ArchiveState {
  /** Whole base backups from which the newest state can be restored, the oldest first. */
  backups: BackupManifest[];
  /** Whole base backups of a time that a restore to an earlier moment has left behind. */
  leftBehind: BackupManifest[];
  /** Sentences about what can't be read. */
  faults: string[];
  lastSegment: (Segment & { archivedAt: Date }) | null;
  /** Segments that are missing after the beginning of the oldest base backup. */
  missing: string[];
}

/** Reads what is in a cluster's archive. It reads names and manifests, not the files themselves. */
export function readArchiveState({ base, wal }: Pick<ArchiveFolders, "base" | "wal">): ArchiveState {
  const listed = listBaseBackups(base);
  const { segments, faults, leadsOnFrom } = readLogLine(wal);
  const [backups, leftBehind] = [true, false].map((leads) =>
    listed.backups.filter((backup) => leadsOnFrom(backup) === leads),
  ) as [BackupManifest[], BackupManifest[]];
  const last = segments.at(-1);
  const from = parseSegment(backups[0]?.startSegment ?? "")?.position;
  return {
    ...{ backups, leftBehind },
    faults: [...listed.faults, ...faults],
    lastSegment: last ? { ...last, archivedAt: statSync(path.join(wal, `${last.name}.gz`)).mtime } : null,
    missing: missingSegments(segments, from ?? segments[0]?.position ?? 0),
  };
}

/** Returns the bytes that a cluster's backups take on the disk: of its base backups, and of the archived log. */
export function measureArchive({ base, wal }: Pick<ArchiveFolders, "base" | "wal">): { base: number; wal: number } {
  return { base: bytesOf(base), wal: bytesOf(wal) };
}

function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
