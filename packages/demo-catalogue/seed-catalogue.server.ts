import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Db } from "@farthing/db/client.ts";
import { importCatalogue } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { describeProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import { fileSource, hashSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import type { ImportProgress } from "@farthing/core/catalogue-imports/read-records.server.ts";
import { awinFeed } from "@farthing/providers/affiliates/awin/awin-feed.ts";
import type { DemoScale } from "./demo-entry.ts";
import { moveDemoDates } from "./move-dates.server.ts";
import { catalogueFiles, writeCatalogueFiles } from "./write-catalogue-files.server.ts";

/** Raise it when the demo's words or formats change, so that existing files are written again. */
const EDITION = 5;

const SIZE = { seed: "farthing", retailers: 240, offers: 1100 };

export interface SeedCatalogueRequest {
  dataDir: string;
  now: Date;
  progress?: ImportProgress;
}

/**
 * Imports the demo catalogue: writes its three files to `dataDir`/catalogue if they are missing or of an older edition, and imports them. If these files were
 * imported before, only their hashes are read, and only the dates of an old catalogue are written (move-dates.server.ts). Networks, member types and brands
 * must be seeded first.
 */
export async function seedCatalogue(
  db: Db,
  { dataDir, now, progress }: SeedCatalogueRequest,
): Promise<{ outcome: "imported" | "moved" | "unchanged" }> {
  const folder = path.join(dataDir, "catalogue");
  const made = await freshFiles(folder, now);
  const sources = {
    programmes: fileSource(path.join(folder, catalogueFiles.programmes)),
    promotions: fileSource(path.join(folder, catalogueFiles.promotions)),
    editorial: fileSource(path.join(folder, catalogueFiles.editorial)),
  };
  const hashes = await Promise.all(Object.values(sources).map(hashSource));
  const imported = await db
    .selectFrom("catalogue_imports")
    .select("content_hash")
    .distinct()
    .where("content_hash", "in", hashes)
    .execute();
  if (imported.length === hashes.length)
    return { outcome: (await moveDemoDates(db, { made, now })) > 0 ? "moved" : "unchanged" };
  const result = await importCatalogue(db, {
    network: "awin",
    feed: awinFeed,
    now,
    ...sources,
    ...(progress === undefined ? {} : { progress }),
  });
  if (result.outcome === "refused") {
    throw new Error(
      `The demo catalogue could not be imported:\n${result.problems.slice(0, 10).map(describeProblem).join("\n")}\nRemove ${folder} to write it again.`,
    );
  }
  await moveDemoDates(db, { made, now });
  return { outcome: "imported" };
}

/** Writes the files if needed. Returns the scale that the files in the folder were written with. */
async function freshFiles(folder: string, now: Date): Promise<DemoScale> {
  const stampFile = path.join(folder, "made-for.json");
  const stamp = await readStamp(stampFile);
  const complete = Object.values(catalogueFiles).every((name) => existsSync(path.join(folder, name)));
  if (complete && stamp !== null && stamp.edition === EDITION) return { ...SIZE, now: stamp.now };
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const scale = { ...SIZE, now: today };
  await writeCatalogueFiles(folder, scale);
  await writeFile(stampFile, `${JSON.stringify({ edition: EDITION, now: today })}\n`);
  return scale;
}

async function readStamp(file: string): Promise<{ edition: number; now: Date } | null> {
  try {
    const { edition: made, now } = JSON.parse(await readFile(file, "utf8")) as { edition: number; now: string };
    return { edition: made, now: new Date(now) };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
