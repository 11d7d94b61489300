import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { Brand } from "./brand.ts";
import { type CarerMove, findCarerMoveOf } from "./carer-move.server.ts";
import type { OwnColours } from "./own-colours.ts";
import { findBrandBySlug } from "./queries.server.ts";

/** A brand as operators list it. */
export interface ListedBrand {
  slug: string;
  name: string;
  audience: string;
  theme: string;
  mainHost: string | null;
  hosts: number;
  retailers: number;
  createdAt: Date;
  updatedAt: Date;
}

export function brandList({ q }: { q?: string }): ListQuery<"name" | "created"> {
  const like = `%${(q ?? "").toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    from: sql`brands brand`,
    select: sql`brand.slug, brand.name, brand.audience, brand.theme,
      (select h.host from brand_hosts h where h.brand_id = brand.id order by h.is_main desc, h.host limit 1) as "mainHost",
      (select count(*)::int from brand_hosts h where h.brand_id = brand.id) as hosts,
      (select count(*)::int from brand_retailers r where r.brand_id = brand.id) as retailers,
      brand.created_at as "createdAt", brand.updated_at as "updatedAt"`,
    where: q
      ? [
          sql`(lower(brand.name) like ${like} or brand.slug like ${like}
            or exists (select from brand_hosts h where h.brand_id = brand.id and h.host like ${like}))`,
        ]
      : [],
    sorts: {
      name: { by: sql`lower(brand.name)`, type: "text" },
      created: { by: sql`brand.created_at`, type: "timestamptz" },
    },
    id: { by: sql`brand.id`, type: "uuid" },
  };
}

/** Everything about a brand that an operator sees and sets. */
export interface BrandRecord {
  brand: Brand;
  version: number;
  own: OwnColours;
  hosts: { host: string; isMain: boolean }[];
  /** Slugs, in registration's order. */
  memberTypes: string[];
  /** Whom the carer migration asks; null: nobody. */
  carerMove: CarerMove | null;
  payoutThresholdPence: number;
  /** Retailers of the catalogue that it shows, and all that there are; merged ones aside. */
  retailers: number;
  retailersOfCatalogue: number;
  /** Its own questions; the shared ones are every brand's. */
  questions: number;
  legalPages: { slug: string; title: string; isOwn: boolean; updatedOn: string }[];
}

export async function findBrandRecord(db: Db, { slug }: { slug: string }): Promise<BrandRecord | null> {
  const brand = await findBrandBySlug(db, slug);
  if (!brand) return null;
  const [row, hosts, types, carerMove, legalPages] = await Promise.all([
    db
      .selectFrom("brands")
      .select(["version", "colours", "payout_threshold_pence as payoutThresholdPence"])
      .select([
        sql<number>`(select count(*)::int from brand_retailers shown join retailers r on r.id = shown.retailer_id
          where shown.brand_id = brands.id and r.merged_into_id is null)`.as("retailers"),
        sql<number>`(select count(*)::int from retailers where merged_into_id is null)`.as("retailersOfCatalogue"),
        sql<number>`(select count(*)::int from faqs f where f.brand_id = brands.id)`.as("questions"),
      ])
      .where("id", "=", brand.id)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("brand_hosts")
      .select(["host", "is_main as isMain"])
      .where("brand_id", "=", brand.id)
      .orderBy("is_main", "desc")
      .orderBy("host")
      .execute(),
    db
      .selectFrom("brand_member_types")
      .innerJoin("member_types", "member_types.id", "member_type_id")
      .select("slug")
      .where("brand_id", "=", brand.id)
      .orderBy("brand_member_types.position")
      .execute(),
    findCarerMoveOf(db, { brandId: brand.id }),
    sql<BrandRecord["legalPages"][number]>`
      select distinct on (position, slug) slug, title, brand_id is not null as "isOwn", updated_on as "updatedOn"
        from legal_pages page where brand_id = ${brand.id} or (brand_id is null and not exists (
          select from legal_pages own where own.brand_id = ${brand.id} and own.slug = page.slug))
       order by position, slug`.execute(db),
  ]);
  const { version, colours, ...counts } = row;
  return {
    brand,
    version,
    own: colours as OwnColours,
    hosts,
    memberTypes: types.map((type) => type.slug),
    carerMove,
    legalPages: legalPages.rows,
    ...counts,
  };
}

/** What a brand can be made of. */
export async function findBrandChoices(db: Db) {
  const [memberTypes, categories, statuses, places] = await Promise.all([
    db.selectFrom("member_types").select(["slug", "name"]).orderBy("position").execute(),
    db.selectFrom("categories").select(["slug", "name"]).orderBy("position").execute(),
    sql<{ type: string; typeName: string; status: string; name: string }>`
      select type.slug as type, type.name as "typeName", type.slug || '/' || status.slug as status, status.name
        from member_statuses status join member_types type on type.id = status.member_type_id
       order by type.position, type.id, status.position, status.id`.execute(db),
    sql<{ brand: string; value: string; label: string }>`
      select brand.slug as brand, brand.slug || '/' || type.slug as value, brand.name || ': ' || type.name as label
        from brands brand join brand_member_types offered on offered.brand_id = brand.id
          join member_types type on type.id = offered.member_type_id
       order by lower(brand.name), brand.id, offered.position, type.id`.execute(db),
  ]);
  return { memberTypes, categories, statuses: statuses.rows, places: places.rows };
}
