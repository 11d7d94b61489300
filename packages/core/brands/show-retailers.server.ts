import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Shows every retailer of the catalogue at a brand. Returns how many it did not show before; call `indexCatalogue`
 * afterwards, outside a transaction that others wait for, so that lists and search have them.
 */
export async function showAllRetailers(db: Db, { brandId }: { brandId: string }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into brand_retailers (brand_id, retailer_id) select ${brandId}, id from retailers where merged_into_id is null on conflict do nothing`.execute(
    db,
  );
  return Number(numAffectedRows);
}
