import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Db } from "@farthing/db/client.ts";
import { seedCatalogue } from "@farthing/demo-catalogue/seed-catalogue.server.ts";
import { seedBrands } from "../brands/seed-brands.server.ts";
import { seedNetworks } from "../catalogue-imports/seed-networks.server.ts";
import { seedMemberTypes } from "../member-types/reference-data/seed-member-types.server.ts";
import { indexCatalogue } from "./index-catalogue.server.ts";

/** Imports and indexes the demo catalogue, and returns the id of a brand that shows it. */
export async function importDemoCatalogue(db: Db, now: Date): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "farthing-demo-catalogue-"));
  await seedNetworks(db);
  await seedMemberTypes(db);
  await seedBrands(db);
  await seedCatalogue(db, { dataDir, now });
  await rm(dataDir, { recursive: true, force: true });
  await indexCatalogue(db, { now });
  const { id } = await db.selectFrom("brands").select("id").where("slug", "=", "chalkside").executeTakeFirstOrThrow();
  return id;
}
