import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Returns the address of the retailer that took the place of the one at an old address (A2), if the brand shows it; null otherwise. */
export async function findMergedPlace(
  db: Db,
  { brandId, slug }: { brandId: string; slug: string },
): Promise<string | null> {
  const { rows } = await sql<{ slug: string }>`
    select place.slug from retailers merged join retailers place on place.id = merged.merged_into_id
    join brand_retailers shown on shown.retailer_id = place.id and shown.brand_id = ${brandId}
    where merged.slug = ${slug}`.execute(db);
  return rows[0]?.slug ?? null;
}
