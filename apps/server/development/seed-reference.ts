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
 * Adds what every brand starts from and is missing: networks, member types with what proves them, questions with their answers, legal pages
 * (packages/db/seeds). What is there stays as operators left it.
 * @returns how many were added
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
 * What a development machine starts from: the beginnings, and the demo's brands.
 * @returns how many of each were added
 */
export async function seedReference(db: Db): Promise<{ networks: number; memberTypes: number; brands: number }> {
  const { networks, memberTypes } = await seedBeginnings(db); // before brands, which name member types
  const brands = await seedBrands(db);
  await seedCarerMigrations(db); // after brands
  return { networks, memberTypes, brands: brands.length };
}
