import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { BackupError, listSegments, parseSegment, SEGMENTS_PER_NAME, type Segment } from "./archive.ts";
import type { BackupManifest } from "./manifest.ts";

/**
 * The log from its beginning to its newest state. A restore to a moment begins a new timeline there (PostgreSQL's manual, 25.3.6): what was logged
 * after that moment on the one before is in the archive, and no longer in the database.
 */
export interface LogLine {
  /** Its segments, in order. */
  segments: Segment[];
  /** Names of the files that tell where each timeline left the one before. */
  histories: string[];
  /** Sentences about what is missing of those files. */
  faults: string[];
  /** Whether a restore from this base backup reaches the newest state. */
  leadsOnFrom(backup: Pick<BackupManifest, "startSegment" | "stopSegment">): boolean;
}

const HISTORY = /^([0-9A-F]{8})\.history\.gz$/;

/** Reads the newest line of an archive. */
export function readLogLine(wal: string): LogLine {
  const histories = (existsSync(wal) ? readdirSync(wal) : []).filter((name) => HISTORY.test(name)).toSorted();
  const newest = histories.at(-1);
  const timeline = newest ? Number.parseInt(newest, 16) : 1;
  const faults: string[] = [];
  let ends = new Map<number, number>();
  try {
    if (newest) ends = parseHistory(gunzipSync(readFileSync(path.join(wal, newest))).toString("latin1"));
  } catch {
    faults.push(`${path.join(wal, newest!)} is torn: bring another copy of it.`);
  }
  const all = listSegments(wal);
  const unknown = all.find((segment) => segment.timeline > timeline);
  if (unknown)
    faults.push(`${path.join(wal, `${unknown.name.slice(0, 8)}.history.gz`)} is missing: bring another copy of it.`);
  const endOf = (one: number) => (one === timeline ? Number.POSITIVE_INFINITY : (ends.get(one) ?? -1));
  return {
    ...{ histories, faults },
    segments: all.filter((segment) => segment.position <= endOf(segment.timeline)),
    leadsOnFrom({ startSegment, stopSegment }) {
      const [start, stop] = [parseSegment(startSegment), parseSegment(stopSegment)];
      // The end of a base backup is the end of its last segment.
      return start !== null && stop !== null && stop.position < endOf(start.timeline);
    },
  };
}

/**
 * Returns for each timeline before a history's own the segment in which it was left. A line of the file has the timeline, the position in the log as two
 * hexadecimal numbers, and a reason (timeline.c of PostgreSQL).
 * @throws BackupError for a file without one
 */
export function parseHistory(text: string): Map<number, number> {
  const lines = [...text.matchAll(/^\s*(\d+)\t([0-9A-F]{1,8})\/([0-9A-F]{1,8})\t/gim)];
  if (lines.length === 0) throw new BackupError("The history of a timeline names none before it.");
  return new Map(
    lines.map(([, timeline, high = "", low = ""]) => [
      Number(timeline),
      Number.parseInt(high, 16) * SEGMENTS_PER_NAME + (Number.parseInt(low, 16) >>> 24),
    ]),
  );
}
