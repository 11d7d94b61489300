import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./root.mjs";

const FOLDER = inRoot("packages/db/migrations");

/** Where the checksums of merged migrations are kept. */
export const checksumFile = join(FOLDER, "checksums.json");

/** @returns {Record<string, string>} file name to SHA-256 of its contents, for what is in the folder now */
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

/** @returns {Record<string, string>} the same, as it was when each migration was sealed */
export function sealedChecksums() {
  return existsSync(checksumFile) ? JSON.parse(readFileSync(checksumFile, "utf8")) : {};
}
