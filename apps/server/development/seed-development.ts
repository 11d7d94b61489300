import type { Db } from "@farthing/db/client.ts";
import { seedDemoCatalogue } from "./seed-catalogue.ts";
import { seedHistory } from "./seed-history.ts";
import { seedMembers } from "./seed-members.ts";
import { seedPartners } from "./seed-partners.ts";
import { seedReference } from "./seed-reference.ts";
import { seedVerification } from "./seed-verification.ts";

export interface SeedParts {
  db: Db;
  dataDir: string;
  /** Key of the attachments' encryption. */
  attachmentKey: string;
  /** Of the site; the demo partner's pages are two ports further. */
  port: number;
  now?: () => Date;
  tell(line: string): void;
}

/**
 * Fills a development database: brands and other reference data, the demo catalogue, demo accounts and their history, the demo partner. Each step leaves alone what is there, so
 * the second start does next to nothing. In a database that was left alone for weeks, demo data catches up with the clock: offers and boosts move,
 * members go on buying, proof of membership waits since yesterday.
 */
export async function seedDevelopment({
  db,
  dataDir,
  attachmentKey,
  port,
  now = () => new Date(),
  tell,
}: SeedParts): Promise<void> {
  const { brands } = await seedReference(db);
  if (brands > 0) tell(`Made ${brands} brands`);
  await seedDemoCatalogue({ db, dataDir, now: now(), tell });
  const accounts = await seedMembers(db);
  if (accounts > 0) tell(`Made ${accounts} demo accounts`);
  await seedVerification(db, { key: attachmentKey, now: now() });
  if (await seedPartners(db, { port })) tell("Made the demo partner");
  await seedHistory(db, { now: now(), progress: tell });
}
