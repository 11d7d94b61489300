import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { ReadableStream as NodeWebStream } from "node:stream/web";
import { attachmentLimits, cleanFileName, typeByName, type UploadProblem } from "@farthing/core/attachments/rules.ts";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { isReadableText } from "../http/readable-input.ts";
import { isMultipart, MAX_UPLOAD_BYTES } from "./upload-paths.ts";

export interface StoredUpload {
  outcome: "stored";
  path: string;
  originalName: string;
  size: number;
  fields: Record<string, string>;
}

export type MultipartResult = StoredUpload | { outcome: "refused"; problem: UploadProblem };

/** A phone that changes its network loses seconds. */
const STALLED_MS = 60_000;

/**
 * Streams the one file of a multipart form into a new file in `folder`. The caller removes the file. Its name is
 * random: names from the form never become paths. A form of which nothing arrives for `stalledMs` is broken off.
 * @throws the system's error if the file can't be written (a full disk)
 */
export async function receiveMultipart(
  request: Request,
  {
    folder,
    fieldName,
    onFile,
    stalledMs = STALLED_MS,
  }: { folder: string; fieldName: string; onFile(path: string): void; stalledMs?: number },
): Promise<MultipartResult> {
  const contentType = request.headers.get("content-type");
  if (!isMultipart(contentType) || request.body === null) return { outcome: "refused", problem: "missing" };
  const fields: Record<string, string> = {};
  const files: { name: string; path: string; stream: Readable; written: Promise<number> }[] = [];
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { "content-type": contentType ?? "" },
      limits: {
        fileSize: attachmentLimits.maxBytes + 1,
        files: 2,
        fields: 10,
        fieldSize: 2_000,
        parts: 12,
        headerPairs: 20,
      },
    });
  } catch {
    return { outcome: "refused", problem: "broken-off" };
  }
  let hasSeveral = false;
  const disk: { fault: Error | null } = { fault: null };
  parser.on("filesLimit", () => (hasSeveral = true));
  let isReadable = true;
  parser.on("field", (name, value) => {
    if (isReadableText(name) && isReadableText(value)) fields[name] = value;
    else isReadable = false;
  });
  parser.on("file", (name, stream, fileName) => {
    // Browsers send an empty field as a file without a name.
    if (name !== fieldName || !fileName || files.length > 0) {
      if (name === fieldName && fileName) hasSeveral = true;
      stream.on("error", () => {});
      return stream.resume();
    }
    const path = join(folder, randomBytes(18).toString("hex"));
    onFile(path);
    const written = writeTo(stream, path);
    // Awaited only after the whole form is read, which never happens once writing stops: back-pressure holds the
    // sender up.
    written.catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) return; // the form broke off, which `pipeline` reports
      disk.fault = error;
      parser.destroy(error);
    });
    files.push({ name: cleanFileName(fileName), path, stream, written });
  });
  try {
    await pipeline(Readable.fromWeb(request.body as NodeWebStream), limited(stalledMs), parser);
    const [file] = files;
    const size = (await file?.written) ?? 0;
    if (!isReadable) return { outcome: "refused", problem: "broken-off" };
    if (hasSeveral) return { outcome: "refused", problem: "several" };
    if (!file) return { outcome: "refused", problem: "missing" };
    if (size > attachmentLimits.maxBytes) return { outcome: "refused", problem: "too-large" };
    if (typeByName(file.name) === null) return { outcome: "refused", problem: "invalid-type" };
    if (size < attachmentLimits.minBytes) return { outcome: "refused", problem: "too-small" };
    return { outcome: "stored", path: file.path, originalName: file.name, size, fields };
  } catch (error) {
    // Nothing else ends them when the sender goes away.
    for (const { stream } of files) stream.destroy();
    await Promise.allSettled(files.map(({ written }) => written));
    if (disk.fault) throw disk.fault;
    if (error instanceof TooMuchError) return { outcome: "refused", problem: "too-large" };
    return { outcome: "refused", problem: "broken-off" };
  }
}

class TooMuchError extends Error {}

/** Fails beyond the limit, and where nothing passes for so long. A transform, because a generator in a pipeline buffers sixteen chunks. */
function limited(stalledMs: number): Transform {
  let size = 0;
  const stalled = setTimeout(() => limit.destroy(new Error("Nothing more of the upload arrives.")), stalledMs);
  const limit = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      stalled.refresh();
      size += chunk.length;
      if (size > MAX_UPLOAD_BYTES) done(new TooMuchError("The upload is larger than the server reads."));
      else done(null, chunk);
    },
  });
  limit.once("close", () => clearTimeout(stalled));
  return limit;
}

async function writeTo(stream: Readable, path: string): Promise<number> {
  const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
  // A destroyed parser leaves its files' streams open, so the target is ended here.
  stream.on("close", () => target.end());
  stream.pipe(target);
  stream.on("error", (error) => target.destroy(error));
  await finished(target);
  return target.bytesWritten;
}
