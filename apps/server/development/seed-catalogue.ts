import { seedCatalogue } from "@farthing/demo-catalogue/seed-catalogue.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import type { Db } from "@farthing/db/client.ts";

export interface SeedCatalogueParts {
  db: Db;
  dataDir: string;
  now: Date;
  tell(line: string): void;
}

/**
 * Imports the demo catalogue and indexes it for search. A second run reads the bytes of three files and changes
 * nothing. Run seedReference first.
 */
export async function seedDemoCatalogue({ db, dataDir, now, tell }: SeedCatalogueParts): Promise<void> {
  const { outcome } = await seedCatalogue(db, { dataDir, now });
  if (outcome === "unchanged" && (await isIndexed(db))) return;
  const { offersParsed, retailersParsed } = await indexCatalogue(db, { now });
  if (outcome === "moved") return tell("Moved the demo catalogue's dates to today");
  tell(`Imported the demo catalogue: ${retailersParsed} retailers and ${offersParsed} offers made searchable`);
}

/** The index is stale if a process was killed between the import and the indexing. */
async function isIndexed(db: Db): Promise<boolean> {
  const row = await db.selectFrom("search_offers").select("offer_id").limit(1).executeTakeFirst();
  return row !== undefined;
}
