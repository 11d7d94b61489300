import { sql, type Selectable } from "kysely";
import type { Database, Db } from "@farthing/db/client.ts";
import type { Brand, BrandFeatures, BrandRegistration, MenuItem } from "./brand.ts";
import { mainHostOf } from "./main-host.server.ts";
import { colourFileOf, type OwnColours } from "./own-colours.ts";
import type { ShownNotice } from "../notices/rules.ts";
import { coloursOf } from "./theme-colours.server.ts";

/**
 * Returns the brand of a host (B1), or null where no brand has it: the caller decides whether to answer with the default brand.
 * @param host as in the request: any case, with or without a port or a final dot
 */
export async function findBrandByHost(db: Db, host: string): Promise<Brand | null> {
  const name = hostName(host);
  if (name === null) return null;
  const row = await selectBrands(db)
    .innerJoin("brand_hosts", "brand_hosts.brand_id", "brands.id")
    .where("brand_hosts.host", "=", name)
    .executeTakeFirst();
  return row === undefined ? null : toBrand(row);
}

/** Returns the brand for hosts that no brand has, for example an IP address. */
export async function findDefaultBrand(db: Db): Promise<Brand | null> {
  const row = await selectBrands(db).where("is_default", "=", true).executeTakeFirst();
  return row === undefined ? null : toBrand(row);
}

/** Returns a brand by its short name, or null. */
export async function findBrandBySlug(db: Db, slug: string): Promise<Brand | null> {
  const row = await selectBrands(db).where("slug", "=", slug).executeTakeFirst();
  return row === undefined ? null : toBrand(row);
}

/** Returns all brands, by name. */
export async function listBrands(db: Db): Promise<Brand[]> {
  const rows = await selectBrands(db).orderBy("name").execute();
  return rows.map(toBrand);
}

/** Returns brands with their legal pages: the shared pages, each replaced by the brand's own page of the same slug. */
function selectBrands(db: Db) {
  return db
    .selectFrom("brands")
    .selectAll("brands")
    .select(mainHostOf(sql.ref("brands.id")).as("main_host"))
    .select([
      sql<Brand["legalPages"]>`array(
        select jsonb_build_object('slug', page.slug, 'title', page.title)
          from (select distinct on (slug) slug, title, position from legal_pages
                 where brand_id is null or brand_id = brands.id order by slug, brand_id nulls last) page
         order by page.position, page.slug)`.as("legal_pages"),
      sql<StoredNotice[]>`array(
        select jsonb_build_object('id', notice.id, 'kind', notice.kind, 'title', notice.title, 'text', notice.text,
          'since', extract(epoch from notice.since) * 1000, 'until', extract(epoch from notice.until) * 1000)
          from notices notice where (notice.brand_id is null or notice.brand_id = brands.id) and (notice.until is null or notice.until > now())
         order by notice.since, notice.id)`.as("notices"),
    ]);
}

/** With times in milliseconds. */
type StoredNotice = Omit<ShownNotice, "since" | "until"> & { since: number; until: number | null };

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

function toBrand(
  row: Selectable<Database["brands"]> & {
    legal_pages: Brand["legalPages"];
    notices: StoredNotice[];
    main_host: string | null;
  },
): Brand {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    strapline: row.strapline,
    audience: row.audience,
    mainHost: row.main_host,
    theme: row.theme,
    affinityId: row.affinity_id,
    supportEmail: row.support_email,
    features: { ...noFeatures, ...(row.features as Partial<BrandFeatures>) },
    tracking: { tagManager: null, engagementScript: null, ...(row.tracking as Partial<Brand["tracking"]>) },
    storeLinks: { ios: null, android: null, ...(row.store_links as Partial<Brand["storeLinks"]>) },
    menu: row.menu as MenuItem[],
    home: row.home as Brand["home"],
    banner: row.banner as Brand["banner"],
    colourFile: colourFileOf(row.theme, row.colours as OwnColours),
    colours: coloursOf(row.theme, row.colours as OwnColours),
    legalPages: row.legal_pages,
    notices: row.notices.map(({ since, until, ...notice }) => ({
      ...notice,
      since: new Date(since),
      until: until === null ? null : new Date(until),
    })),
    registration: row.registration as BrandRegistration,
  };
}
