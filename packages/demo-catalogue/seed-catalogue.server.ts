import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Db } from "@farthing/db/client.ts";
import { importCatalogue } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { describeProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import { fileSource, hashSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import type { ImportProgress } from "@farthing/core/catalogue-imports/read-records.server.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { sql } from "kysely";
import { demoCatalogue } from "./demo-catalogue.ts";
import type { DemoScale } from "./demo-entry.ts";
import { moveDemoDates } from "./move-dates.server.ts";
import {
  demoNetworks,
  NETWORK_FILES,
  networkFile,
  offerIdAt,
  programmeIdAt,
  writeNetworkFiles,
  type NetworkFile,
} from "./network-files.server.ts";
import { catalogueFiles, writeCatalogueFiles } from "./write-catalogue-files.server.ts";

/** Raise it when the demo's words or formats change, so that existing files are written again. */
const EDITION = 7;

const SIZE = { seed: "farthing", retailers: 240, offers: 1100, networks: demoNetworks };

export interface SeedCatalogueRequest {
  dataDir: string;
  now: Date;
  progress?: ImportProgress;
}

/**
 * Imports the demo catalogue: writes its files to `dataDir`/catalogue if they are missing or of an older edition, and imports those of each network in
 * the network's own format. The three files that hold the whole catalogue are the sandbox's. If these files were imported before, only their hashes are read, and only the dates of an old catalogue are written (move-dates.server.ts). Networks, member types and brands
 * must be seeded first.
 */
export async function seedCatalogue(
  db: Db,
  { dataDir, now, progress }: SeedCatalogueRequest,
): Promise<{ outcome: "imported" | "moved" | "unchanged" }> {
  const folder = path.join(dataDir, "catalogue");
  const made = await freshFiles(folder, now);
  const parts = demoNetworks.map((network) => ({ network, sources: sourcesOf(folder, network) }));
  const hashes = await Promise.all(parts.flatMap(({ sources }) => Object.values(sources).map(hashSource)));
  const imported = await db
    .selectFrom("catalogue_imports")
    .select("content_hash")
    .distinct()
    .where("content_hash", "in", hashes)
    .execute();
  if (imported.length === new Set(hashes).size)
    return { outcome: (await moveDemoDates(db, { made, now })) > 0 ? "moved" : "unchanged" };
  await moveNetworks(db, made);
  for (const { network, sources } of parts) await importPart(db, { network, sources, folder, now, progress });
  await moveDemoDates(db, { made, now });
  return { outcome: "imported" };
}

function sourcesOf(folder: string, network: string) {
  const source = (kind: NetworkFile) => fileSource(path.join(folder, networkFile(network, kind)));
  return { programmes: source("programmes"), promotions: source("promotions"), editorial: source("retailers") };
}

async function importPart(
  db: Db,
  {
    network,
    sources,
    folder,
    now,
    progress,
  }: {
    network: string;
    sources: ReturnType<typeof sourcesOf>;
    folder: string;
    now: Date;
    progress: ImportProgress | undefined;
  },
): Promise<void> {
  const result = await importCatalogue(db, {
    network,
    feed: allNetworks.find(({ slug }) => slug === network)!.feed,
    now,
    ...sources,
    ...(progress === undefined ? {} : { progress }),
  });
  if (result.outcome === "refused") {
    throw new Error(
      `The demo catalogue could not be imported:\n${result.problems.slice(0, 10).map(describeProblem).join("\n")}\nRemove ${folder} to write it again.`,
    );
  }
}

/** Moves retailers of an older edition, which were all on Awin, to the network that they are on now, with their offers. */
async function moveNetworks(db: Db, made: DemoScale): Promise<void> {
  const moved = [...demoCatalogue(made)].filter(({ network }) => network !== "awin");
  const programmes = moved.map(({ network, programme }) => ({
    network,
    old_id: String(programme.id),
    new_id: programmeIdAt(network, programme.id),
  }));
  const offers = moved.flatMap(({ network, promotions }) =>
    promotions.map(({ promotionId }) => ({
      network,
      old_id: String(promotionId),
      new_id: offerIdAt(network, promotionId),
    })),
  );
  await db.transaction().execute(async (trx) => {
    for (const [table, column, rows] of [
      ["programmes", "network_programme_id", programmes],
      ["offers", "network_offer_id", offers],
    ] as const)
      await sql`
        update ${sql.table(table)} known set network_id = network.id, ${sql.ref(column)} = moved.new_id
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) moved (network text, old_id text, new_id text)
        join networks network on network.slug = moved.network
        where known.network_id = (select id from networks where slug = 'awin') and known.${sql.ref(column)} = moved.old_id`.execute(
        trx,
      );
  });
}

/** Writes the files if needed. Returns the scale that the files in the folder were written with. */
async function freshFiles(folder: string, now: Date): Promise<DemoScale> {
  const stampFile = path.join(folder, "made-for.json");
  const stamp = await readStamp(stampFile);
  const complete = [
    ...Object.values(catalogueFiles),
    ...demoNetworks.flatMap((network) => NETWORK_FILES.map((kind) => networkFile(network, kind))),
  ].every((name) => existsSync(path.join(folder, name)));
  if (complete && stamp !== null && stamp.edition === EDITION) return { ...SIZE, now: stamp.now };
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
  const scale = { ...SIZE, now: today };
  await writeCatalogueFiles(folder, scale);
  await writeNetworkFiles(folder, scale);
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
