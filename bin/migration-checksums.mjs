import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./root.mjs";

const FOLDER = inRoot("packages/db/migrations");

/** The file with the checksums of sealed migrations. */
export const checksumFile = join(FOLDER, "checksums.json");

/** @returns {Record<string, string>} SHA-256 by file name, of the files in the folder now */
export function migrationChecksums() {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(FOLDER, name)))
        .digest("hex"),
    ]),
  );
}

/** @returns {Record<string, string>} SHA-256 by file name, as recorded when each migration was sealed */
export function sealedChecksums() {
  return existsSync(checksumFile) ? JSON.parse(readFileSync(checksumFile, "utf8")) : {};
}
