import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReceivedUpload } from "@farthing/core/attachments/rules.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import { inspectUpload } from "./inspect-upload.ts";
import { places } from "./places.ts";
import { receiveMultipart } from "./receive-multipart.ts";

export interface Uploads {
  /**
   * Reads the one file of a multipart form, checks it and writes a new one. The caller has to discard the file. A member has two at a time, so that
   * nobody takes every place.
   */
  receive(request: Request, options: { fieldName: string; memberId: string }): Promise<ReceivedUpload>;
}

const MAX_OF_MEMBER = 2;
/** Files of other processes that are younger than this may be in use. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000;
const SWEEPING_IDLE_MS = 15 * 60 * 1000;

export interface UploadServices {
  /** The uploads' folder is in it. */
  dataDir: string;
  logger: JobLogger;
  now?: () => Date;
}

/** Opens uploads. Files are in a private folder under DATA_DIR for the seconds that their check takes. */
export async function openUploads({ dataDir, logger, now = () => new Date() }: UploadServices): Promise<Uploads> {
  const folder = folderIn(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await removeLeftUploads(dataDir, { now: now() });
  // Further requests wait unread. Decoding takes a processor and up to half a gigabyte.
  const receiving = places({ atOnce: 16, waiting: 60 });
  const inspecting = places({ atOnce: 2, waiting: 60 });

  async function take(request: Request, fieldName: string): Promise<ReceivedUpload> {
    const ours: string[] = [];
    const discard = async () => void (await Promise.all(ours.map((path) => rm(path, { force: true }))));
    try {
      const stored = await receiving.take(() =>
        receiveMultipart(request, { folder, fieldName, onFile: (path) => ours.push(path) }),
      );
      if (stored === null || stored.outcome === "refused") {
        await discard();
        return stored ?? { outcome: "refused", problem: "busy" };
      }
      const copy = `${stored.path}-copy`;
      ours.push(copy);
      const { originalName, fields } = stored;
      const inspection = await inspecting.take(() =>
        inspectUpload(
          { from: stored.path, to: copy, folder, originalName },
          { onKilled: (why) => logger.warn({ why, size: stored.size }, "the check of an upload was ended") },
        ),
      );
      await rm(stored.path, { force: true });
      if (inspection === null || inspection.outcome === "refused") {
        await discard();
        return { outcome: "refused", problem: inspection?.problem ?? "busy" };
      }
      const sha256 = createHash("sha256");
      await pipeline(createReadStream(copy), sha256);
      const file = {
        originalName,
        mediaType: inspection.mediaType,
        size: (await stat(copy)).size,
        sha256: sha256.digest(),
        parts: () => createReadStream(copy, { highWaterMark: 256 * 1024 }),
      };
      return { outcome: "received", file, fields, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /** How many uploads of a member wait, arrive or are checked. */
  const underway = new Map<string, number>();

  return {
    async receive(request, { fieldName, memberId }) {
      const count = underway.get(memberId) ?? 0;
      if (count >= MAX_OF_MEMBER) return { outcome: "refused", problem: "too-many-at-once" };
      underway.set(memberId, count + 1);
      try {
        return await take(request, fieldName);
      } finally {
        const left = (underway.get(memberId) ?? 1) - 1;
        if (left > 0) underway.set(memberId, left);
        else underway.delete(memberId);
      }
    },
  };
}

/**
 * Starts the job that removes the files of processes that were killed. It belongs to the role that takes uploads: they lie in the folder
 * of its machine.
 */
export function startUploadSweeping({ dataDir, logger, now = () => new Date() }: UploadServices): Job {
  return startJob({
    name: "sweeping uploads",
    logger,
    idleMs: SWEEPING_IDLE_MS,
    async round() {
      await removeLeftUploads(dataDir, { now: now() });
      return 0;
    },
  });
}

/** Removes the files of processes that were killed. They may show a person's documents, so a regular job does it as well, not only the next start. */
export async function removeLeftUploads(dataDir: string, { now }: { now: Date }): Promise<void> {
  const folder = folderIn(dataDir);
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    // One that is gone by now was discarded by its own process.
    const mtimeMs = (await stat(path).catch(() => null))?.mtimeMs ?? Infinity;
    if (now.getTime() - mtimeMs > LEFT_BEHIND_AFTER_MS) await rm(path, { force: true });
  }
}

/** Where no process has taken uploads yet, there is no folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function folderIn(dataDir: string): string {
  return join(dataDir, "uploads");
}
