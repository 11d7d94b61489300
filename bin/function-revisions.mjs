import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./root.mjs";

const FOLDER = inRoot("packages/db/functions");

/** Where the revisions of SQL functions are kept. */
export const revisionFile = join(FOLDER, "revisions.json");

/**
 * File name to its revision and the SHA-256 of its contents.
 * @typedef {Record<string, { revision: number, checksum: string }>} Revisions
 */

/** @returns {Revisions} the revisions as they were sealed */
export function sealedRevisions(folder = FOLDER) {
  return JSON.parse(readFileSync(join(folder, "revisions.json"), "utf8"));
}

/**
 * A deleted file keeps its entry: if a file of that name returns, its revision is higher than any that a database has.
 * @returns {Revisions} the sealed revisions, and the next revision of each file that has changed since
 */
export function currentRevisions(folder = FOLDER) {
  const sealed = sealedRevisions(folder);
  const changed = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .map((name) => {
      const checksum = createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex");
      const last = sealed[name];
      return { name, checksum, revision: (last?.revision ?? 0) + (last?.checksum === checksum ? 0 : 1) };
    })
    .map(({ name, revision, checksum }) => [name, { revision, checksum }]);
  const all = { ...sealed, ...Object.fromEntries(changed) };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}
