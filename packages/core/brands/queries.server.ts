import type { Selectable } from "kysely";
import type { Database, Db } from "@farthing/db/client.ts";
import type { Brand, BrandFeatures, MenuItem } from "./brand.ts";

/**
 * The brand that answers at a host (product.md B1).
 * @param host as the request carries it: any case, with or without a port or a final dot.
 * @returns null where no brand has the host; the caller decides whether the default brand stands in.
 */
export async function findBrandByHost(db: Db, host: string): Promise<Brand | null> {
  const name = hostName(host);
  if (name === null) return null;
  const row = await db
    .selectFrom("brands")
    .innerJoin("brand_hosts", "brand_hosts.brand_id", "brands.id")
    .selectAll("brands")
    .where("brand_hosts.host", "=", name)
    .executeTakeFirst();
  return row === undefined ? null : toBrand(row);
}

/** The brand at a host that none claims, such as a bare address. */
export async function findDefaultBrand(db: Db): Promise<Brand | null> {
  const row = await db.selectFrom("brands").selectAll().where("is_default", "=", true).executeTakeFirst();
  return row === undefined ? null : toBrand(row);
}

/** All brands, by name. */
export async function listBrands(db: Db): Promise<Brand[]> {
  const rows = await db.selectFrom("brands").selectAll().orderBy("name").execute();
  return rows.map(toBrand);
}

function hostName(host: string): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
  return /^[a-z0-9.-]{1,253}$/.test(name) ? name : null;
}

const noFeatures: BrandFeatures = {
  telemetry: false,
  loginConfetti: false,
  carerMigration: false,
  appExclusive: false,
  giftCards: false,
};

function toBrand(row: Selectable<Database["brands"]>): Brand {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    strapline: row.strapline,
    audience: row.audience,
    theme: row.theme,
    affinityId: row.affinity_id,
    supportEmail: row.support_email,
    features: { ...noFeatures, ...(row.features as Partial<BrandFeatures>) },
    storeLinks: { ios: null, android: null, ...(row.store_links as Partial<Brand["storeLinks"]>) },
    menu: row.menu as unknown as MenuItem[],
    banner: row.banner as Brand["banner"],
  };
}
