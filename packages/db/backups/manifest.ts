import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { BackupError, parseSegment } from "./archive.ts";

/** What a base backup says of itself, in `manifest.json`. */
export interface BackupManifest {
  format: 1;
  /** When it began: `2026-11-26T14-30-05Z`. Its folder has the same name. */
  id: string;
  systemId: string;
  /** PostgreSQL's version, such as `18.4`. */
  postgres: string;
  startedAt: string;
  /** A restore can end at this moment or later. */
  finishedAt: string;
  /** The segments of the write-ahead log without which it can't be restored. */
  startSegment: string;
  stopSegment: string;
  /** Tells which secret encrypted what the database holds, without holding it. */
  keyFingerprint: string;
  bytes: number;
  /** Paths relative to the data folder, with slashes. */
  folders: string[];
  files: BackupFile[];
}

export interface BackupFile {
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The base backup's copy of the data folder. */
export const FILES_FOLDER = "files";
export const MANIFEST = "manifest.json";

/** Ends the name of a base backup that is being made or deleted. */
export const PARTIAL = ".partial";

/**
 * Returns the base backups of a cluster, the oldest first, and a sentence for each that can't be read: one broken copy must not keep the others
 * from being restored. Those that were interrupted while they were made or deleted are not among them.
 */
export function listBaseBackups(base: string): { backups: BackupManifest[]; faults: string[] } {
  const backups: BackupManifest[] = [];
  const faults: string[] = [];
  for (const name of existsSync(base) ? readdirSync(base).toSorted() : []) {
    if (name.endsWith(PARTIAL)) continue;
    try {
      backups.push(readManifest(path.join(base, name)));
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      faults.push(error.message);
    }
  }
  return { backups, faults };
}

/** Returns when the newest base backup with a manifest was begun, by its name; null: there is none. */
export function newestBackupAt(base: string): Date | null {
  const names = (existsSync(base) ? readdirSync(base) : [])
    .filter((name) => !name.endsWith(PARTIAL) && existsSync(path.join(base, name, MANIFEST)))
    .toSorted();
  const [, day, hours, minutes, seconds] = /^(.{10})T(\d\d)-(\d\d)-(\d\d)Z$/.exec(names.at(-1) ?? "") ?? [];
  return day === undefined ? null : new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}

/** @throws BackupError that names a manifest which is missing, torn or of another format. */
export function readManifest(folder: string): BackupManifest {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) throw new BackupError(`${file} is missing: this base backup can't be restored.`);
  let manifest: Partial<BackupManifest>;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8")) as Partial<BackupManifest>;
  } catch {
    throw new BackupError(`${file} is torn: this base backup can't be restored.`);
  }
  if (!isManifest(manifest)) throw new BackupError(`${file} is not a manifest that this version reads.`);
  return manifest;
}

function isManifest(manifest: Partial<BackupManifest>): manifest is BackupManifest {
  const { format, id, systemId, finishedAt, startSegment, stopSegment, keyFingerprint, files, folders } = manifest;
  return (
    format === 1 &&
    [id, systemId, keyFingerprint].every((text) => typeof text === "string") &&
    !Number.isNaN(Date.parse(finishedAt ?? "")) &&
    [startSegment, stopSegment].every((name) => parseSegment(name ?? "") !== null) &&
    [...(files ?? []).map((file) => file.path), ...(folders ?? [])].every(isInside) &&
    (files ?? []).length > 0
  );
}

/** A changed manifest must not write outside the folder that is restored. */
function isInside(relative: string): boolean {
  return !path.isAbsolute(relative) && !relative.split("/").includes("..");
}

/**
 * Compares every file of a base backup with its manifest.
 * @throws BackupError that names the first file which is missing, torn or changed.
 */
export async function verifyFiles(folder: string, { files }: Pick<BackupManifest, "files">): Promise<void> {
  for (const file of files) {
    const found = path.join(folder, FILES_FOLDER, file.path);
    if (!existsSync(found)) throw new BackupError(`${found} is missing: this base backup can't be restored.`);
    const { size, sha256 } = await copyHashed(found, null);
    if (size !== file.size)
      throw new BackupError(`${found} is torn: it has ${size} bytes and had ${file.size} when it was written.`);
    if (sha256 !== file.sha256) throw new BackupError(`${found} was changed: its SHA-256 is another.`);
  }
}

const PART_BYTES = 1024 * 1024;

/**
 * Reads a file to its end and returns its size and SHA-256; copies it to `to`, readable by its owner alone, unless that is
 * null. There are thousands of small files: each is read at once, which costs a busy machine less than many short waits.
 */
export function copyHashed(from: string, to: string | null): Promise<{ size: number; sha256: string }> {
  const hash = createHash("sha256");
  const part = Buffer.allocUnsafe(PART_BYTES);
  let size = 0;
  const source = openSync(from, "r");
  let target: number | null = null;
  try {
    if (to !== null) target = openSync(to, "wx", 0o600);
    for (let read = readSync(source, part); read > 0; read = readSync(source, part)) {
      const bytes = part.subarray(0, read);
      hash.update(bytes);
      if (target !== null) writeFileSync(target, bytes);
      size += read;
    }
  } finally {
    closeSync(source);
    if (target !== null) closeSync(target);
  }
  return Promise.resolve({ size, sha256: hash.digest("hex") });
}

/** Puts a folder's names on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
