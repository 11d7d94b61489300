import { seedBrands } from "@farthing/core/brands/seed-brands.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { seedCarerMigrations } from "@farthing/core/carer-migrations/seed-carer-migrations.server.ts";
import { seedLegalPages } from "@farthing/core/legal-pages/seed-legal-pages.server.ts";
import { seedFaqs } from "@farthing/core/faqs/seed-faqs.server.ts";
import { seedProofs } from "@farthing/core/verification-requests/seed-proofs.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";

/**
 * Adds the reference data that is missing: networks, member types with their proofs, questions with their answers,
 * legal pages (packages/db/seeds). Existing rows stay as operators left them.
 * @returns the number of rows added, by kind
 */
export async function seedBeginnings(db: Db): Promise<{ networks: number; memberTypes: number }> {
  const networks = await seedNetworks(db, { adapters: allNetworks });
  const memberTypes = await seedMemberTypes(db);
  await seedProofs(db); // after member types
  await seedFaqs(db);
  await seedLegalPages(db);
  return { networks: networks.length, memberTypes: memberTypes.length };
}

/**
 * Adds the reference data of a development machine: that of every deployment, and the demo's brands.
 * @returns the number of rows added, by kind
 */
export async function seedReference(db: Db): Promise<{ networks: number; memberTypes: number; brands: number }> {
  const { networks, memberTypes } = await seedBeginnings(db); // before brands, which name member types
  const brands = await seedBrands(db);
  await seedCarerMigrations(db); // after brands
  return { networks, memberTypes, brands: brands.length };
}
