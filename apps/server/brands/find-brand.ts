import type { Brand, BrandFeatures, MenuItem } from "@farthing/core/brands/brand.ts";
import type { Db } from "@farthing/db/client.ts";

// Stand-in until packages/core/brands/queries.server.ts is there.
export async function findBrandByHost(db: Db, host: string): Promise<Brand | null> {
  const row = await db.selectFrom("brands").innerJoin("brand_hosts", "brand_hosts.brand_id", "brands.id").selectAll("brands").where("host", "=", host).executeTakeFirst();
  return row ? toBrand(row as never) : null;
}
export async function findDefaultBrand(db: Db): Promise<Brand | null> {
  const row = await db.selectFrom("brands").selectAll().where("is_default", "=", true).executeTakeFirst();
  return row ? toBrand(row as never) : null;
}
function toBrand(row: Record<string, never>): Brand {
  return { ...(row as object), affinityId: row["affinity_id"], supportEmail: row["support_email"], features: row["features"] as BrandFeatures, storeLinks: row["store_links"], menu: row["menu"] as MenuItem[] } as unknown as Brand;
}
