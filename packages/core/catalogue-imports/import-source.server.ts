import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";

/** The bytes of an import: a file, an uploaded body or an answer of a network's API. */
export interface ImportSource {
  /** A file's name; it is recorded, so it is never a machine's path. */
  name: string;
  /** Returns the bytes from the start; may be called more than once. */
  open(): AsyncIterable<Uint8Array>;
}

export function fileSource(file: string): ImportSource {
  return { name: path.basename(file), open: () => createReadStream(file, { highWaterMark: 256 * 1024 }) };
}

/** Returns text as a source: a fetched feed, or a test's file. */
export function textSource(name: string, text: string): ImportSource {
  return {
    name,
    async *open() {
      if (text !== "") yield new TextEncoder().encode(text);
    },
  };
}

/** Returns the SHA-256 of the bytes, in hexadecimal. */
export async function hashSource(source: ImportSource): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of source.open()) hash.update(chunk);
  return hash.digest("hex");
}
