import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach } from "vitest";
import { readFunctions } from "../functions.ts";

/** The migrations and functions of this checkout. */
export const thisVersion = new URL("../", import.meta.url);

/** Another version of the migrations and functions, in a temporary folder. */
export interface AnotherVersion {
  /** For `migrate`. */
  source: URL;
  /** Writes a file, `migrations/…` or `functions/…`; a function stays unsealed without a `revision`. */
  write(file: string, sql: string, revision?: number): Promise<void>;
  remove(file: string): Promise<void>;
}

/** Returns a function that copies a version, this checkout's if none is given. Copies are deleted after each test. */
export function otherVersions(): (base?: URL) => Promise<AnotherVersion> {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });
  return async (base = thisVersion) => {
    const folder = await mkdtemp(join(tmpdir(), "farthing-version-"));
    folders.push(folder);
    for (const part of ["migrations", "functions", "backfills"])
      await cp(new URL(`${part}/`, base), join(folder, part), { recursive: true });
    const source = pathToFileURL(`${folder}/`);
    return {
      source,
      async write(file, sql, revision) {
        await writeFile(new URL(file, source), sql);
        if (revision !== undefined) await seal(new URL("functions/", source), file.replace("functions/", ""), revision);
      },
      remove: (file) => rm(new URL(file, source)),
    };
  };
}

async function seal(functions: URL, file: string, revision: number): Promise<void> {
  const { checksum } = (await readFunctions(functions)).find(({ name }) => name === file)!;
  const revisions = new URL("revisions.json", functions);
  const sealed = JSON.parse(await readFile(revisions, "utf8")) as Record<string, unknown>;
  await writeFile(revisions, JSON.stringify({ ...sealed, [file]: { revision, checksum } }));
}
