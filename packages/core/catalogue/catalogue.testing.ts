/** Rows for tests: each function inserts one thing with sensible defaults and returns its ids. Times are around `NOW`. */
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { OfferKind, RetailerStatus } from "./catalogue-view.ts";

export const NOW = new Date("2026-11-20T12:00:00Z");
const DAY = 86_400_000;

/** Returns `NOW` moved by days, for time windows: `daysFromNow(-1)`. */
export function daysFromNow(days: number): Date {
  return new Date(NOW.getTime() + days * DAY);
}

let counter = 0;
/** Returns a short text that is unique in the test file. */
function unique(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

export function slugify(text: string): string {
  return (
    text
      .normalize("NFKD")
      .toLowerCase()
      .replace(/['’]|\p{M}/gu, "")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || unique("slug")
  );
}

export async function insertCategory(db: Db, name: string): Promise<{ id: string; slug: string }> {
  const id = newId();
  const slug = slugify(name);
  await db.insertInto("categories").values({ id, slug, name, position: ++counter }).execute();
  return { id, slug };
}

export interface NewRetailer {
  name?: string;
  slug?: string;
  status?: RetailerStatus;
  popularity?: number;
  shortInfo?: string;
  adultsOnly?: boolean;
  /** Brands that show it. */
  brandIds?: string[];
  categoryIds?: string[];
  isFeatured?: boolean;
}

export async function insertRetailer(
  db: Db,
  options: NewRetailer = {},
): Promise<{ id: string; slug: string; name: string }> {
  const id = newId();
  const name = options.name ?? unique("Retailer");
  const slug = options.slug ?? slugify(name);
  await db
    .insertInto("retailers")
    .values({
      id,
      slug,
      name,
      short_info: options.shortInfo ?? "",
      homepage_url: `https://${slug}.example/`,
      status: options.status ?? "active",
      adults_only: options.adultsOnly ?? false,
      popularity: options.popularity ?? 0,
      tracks_within_days_min: 1,
      tracks_within_days_max: 3,
      confirms_within_days_min: 35,
      confirms_within_days_max: 75,
    })
    .execute();
  for (const brandId of options.brandIds ?? []) {
    await db
      .insertInto("brand_retailers")
      .values({ brand_id: brandId, retailer_id: id, is_featured: options.isFeatured ?? false })
      .execute();
  }
  for (const [index, categoryId] of (options.categoryIds ?? []).entries()) {
    await db
      .insertInto("retailer_categories")
      .values({ retailer_id: id, category_id: categoryId, is_main: index === 0 })
      .execute();
  }
  return { id, slug, name };
}

export async function insertProgramme(
  db: Db,
  options: {
    networkId: string;
    retailerId: string;
    status?: "joined" | "not_joined" | "suspended" | "closed";
    isPreferred?: boolean;
  },
): Promise<{ id: string }> {
  const id = newId();
  await db
    .insertInto("programmes")
    .values({
      id,
      network_id: options.networkId,
      retailer_id: options.retailerId,
      network_programme_id: unique("programme"),
      name: "Programme",
      status: options.status ?? "joined",
      is_preferred: options.isPreferred ?? true,
      landing_url: "https://shop.example/",
    })
    .execute();
  return { id };
}

export async function insertRateTier(
  db: Db,
  options: { programmeId: string; label?: string; bp?: number; pence?: number; capPence?: number; position?: number },
): Promise<{ id: string }> {
  const id = newId();
  await db
    .insertInto("rate_tiers")
    .values({
      id,
      programme_id: options.programmeId,
      network_group_id: unique("group"),
      label: options.label ?? "Everything",
      rate_kind: options.pence === undefined ? "percent" : "fixed",
      member_rate_bp: options.pence === undefined ? (options.bp ?? 500) : null,
      member_rate_pence: options.pence ?? null,
      cap_pence: options.capPence ?? null,
      position: options.position ?? 0,
    })
    .execute();
  return { id };
}

export async function insertBoost(
  db: Db,
  options: { rateTierId: string; bp?: number; pence?: number; startsAt: Date; endsAt: Date },
): Promise<void> {
  await db
    .insertInto("boosts")
    .values({
      id: newId(),
      rate_tier_id: options.rateTierId,
      member_rate_bp: options.bp ?? null,
      member_rate_pence: options.pence ?? null,
      starts_at: options.startsAt,
      ends_at: options.endsAt,
    })
    .execute();
}

export interface NewOffer {
  networkId: string;
  retailerId: string;
  programmeId?: string | null;
  kind?: OfferKind;
  title?: string;
  headline?: string;
  description?: string;
  terms?: string;
  exclusions?: string;
  status?: "live" | "withdrawn";
  startsAt?: Date;
  endsAt?: Date | null;
  popularity?: number;
  categoryIds?: string[];
  /** The only brands that show it; by default every brand of its retailer. */
  onlyBrandIds?: string[];
}

export async function insertOffer(db: Db, options: NewOffer): Promise<{ id: string; publicId: string; slug: string }> {
  const id = newId();
  const title = options.title ?? unique("Offer");
  const row = await db
    .insertInto("offers")
    .values({
      id,
      slug: slugify(title),
      retailer_id: options.retailerId,
      programme_id: options.programmeId ?? null,
      network_id: options.networkId,
      network_offer_id: unique("offer"),
      kind: options.kind ?? "code",
      title,
      headline: options.headline ?? "",
      description: options.description ?? "",
      terms: options.terms ?? "",
      exclusions: options.exclusions ?? "",
      landing_url: "https://shop.example/offer",
      status: options.status ?? "live",
      starts_at: options.startsAt ?? daysFromNow(-7),
      ends_at: options.endsAt === undefined ? daysFromNow(30) : options.endsAt,
      popularity: options.popularity ?? 0,
    })
    .returning(["public_id", "slug"])
    .executeTakeFirstOrThrow();
  for (const categoryId of options.categoryIds ?? [])
    await db.insertInto("offer_categories").values({ offer_id: id, category_id: categoryId }).execute();
  for (const brandId of options.onlyBrandIds ?? [])
    await db.insertInto("offer_brands").values({ offer_id: id, brand_id: brandId }).execute();
  return { id, publicId: row.public_id, slug: row.slug };
}

export async function insertVariant(
  db: Db,
  options: { offerId: string; label: string; position?: number },
): Promise<{ id: string; publicId: string }> {
  const id = newId();
  const row = await db
    .insertInto("offer_variants")
    .values({ id, offer_id: options.offerId, label: options.label, position: options.position ?? 0 })
    .returning("public_id")
    .executeTakeFirstOrThrow();
  return { id, publicId: row.public_id };
}

export async function insertCode(
  db: Db,
  options: { offerId: string; variantId?: string; codeKind?: "shared" | "pool"; code: string },
): Promise<void> {
  await db
    .insertInto("offer_codes")
    .values({
      id: newId(),
      offer_id: options.offerId,
      variant_id: options.variantId ?? null,
      code_kind: options.codeKind ?? "shared",
      code: options.code,
    })
    .execute();
}
