import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReceivedUpload } from "@farthing/core/attachments/rules.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { inspectUpload } from "./inspect-upload.ts";
import { places } from "./places.ts";
import { receiveMultipart } from "./receive-multipart.ts";

export interface Uploads {
  /** Reads the one file of a multipart form, checks it and writes a new one. The caller has to discard the file. */
  receive(request: Request, options: { fieldName: string }): Promise<ReceivedUpload>;
}

/** Files of other processes that are younger than this may be in use. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000;

/** Opens uploads. Files are in a private folder under DATA_DIR for the seconds that their check takes. */
export async function openUploads({ dataDir, logger }: { dataDir: string; logger: JobLogger }): Promise<Uploads> {
  const folder = join(dataDir, "uploads");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await removeLeftBehind(folder);
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

  return { receive: (request, { fieldName }) => take(request, fieldName) };
}

/** Removes the files of processes that were killed. */
async function removeLeftBehind(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LEFT_BEHIND_AFTER_MS) await rm(path, { force: true });
  }
}
