import { createHash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { mainHostOf } from "../../brands/main-host.server.ts";
import type { OfferKind, RetailerStatus } from "../catalogue-view.ts";
import { toLondon } from "../london-time.ts";
import type { OfferForm } from "./offer-schema.ts";

/** An offer with everything that operators keep of it. */
export interface OfferRecord extends OfferForm {
  id: string;
  publicId: string;
  slug: string;
  /** The programme that its clicks go through; null: none. */
  programmeId: string | null;
  kind: OfferKind;
  status: "live" | "withdrawn";
  retailer: { id: string; slug: string; name: string; status: RetailerStatus };
  /** Where it came from; null: the club made it. */
  network: string | null;
  /** Its number there, or the club's own reference. */
  number: string;
  /** The fields that an operator has set: imports leave them. Names of columns, or of lists. */
  kept: string[];
  variantIds: { id: string; label: string; codes: number }[];
  /** Brands that show it, when it is published: as isShownBy (list-offers.server.ts). */
  shownBy: { slug: string; name: string; host: string | null }[];
  pool: { free: number; total: number };
  createdAt: Date;
  changedAt: Date;
  /** The hash of all that the form shows: a save against another one comes too late. */
  fingerprint: string;
}

/**
 * Makes a change of an offer and a save of its retailer take turns: both write the offer's search document. Comes before the lock on
 * the offer, as a save of the retailer locks the retailer before it comes to the offers.
 */
export async function lockRetailerOf(db: Db | Trx, { publicId }: { publicId: string }): Promise<void> {
  await sql`select from retailers where id = (select retailer_id from offers where public_id = ${publicId}) for key share`.execute(
    db,
  );
}

/** Returns an offer by its public id, or null. In a transaction with `isLocked`, its row is locked until the end. */
export async function findOfferRecord(
  db: Db | Trx,
  { publicId, isLocked = false }: { publicId: string; isLocked?: boolean },
): Promise<OfferRecord | null> {
  if (isLocked) await lockRetailerOf(db, { publicId });
  // Without "no key", the index would wait for this lock while the save waits for the document that the index has added.
  const lock = isLocked ? sql`for no key update of offer` : sql``;
  const { rows } = await sql<Omit<OfferRecord, "fingerprint">>`
    select offer.id, offer.public_id as "publicId", offer.slug, offer.programme_id as "programmeId", offer.kind, offer.status, offer.title, offer.headline,
      offer.description, offer.terms, offer.exclusions, offer.landing_url as "landingUrl", offer.adults_only as "adultsOnly",
      offer.starts_at as "startsAt", offer.ends_at as "endsAt", offer.popularity, offer.kept,
      offer.network_offer_id as number, offer.created_at as "createdAt", offer.updated_at as "changedAt",
      (select name from networks where id = offer.network_id) as network,
      (select json_build_object('id', r.id, 'slug', r.slug, 'name', r.name, 'status', r.status)
        from retailers r where r.id = offer.retailer_id) as retailer,
      (select k.code from offer_codes k where k.offer_id = offer.id and k.code_kind = 'shared' and k.variant_id is null) as code,
      array(select c.slug from offer_categories filed join categories c on c.id = filed.category_id
        where filed.offer_id = offer.id order by c.slug collate "C") as categories,
      array(select b.slug from offer_brands only_of join brands b on b.id = only_of.brand_id
        where only_of.offer_id = offer.id order by b.slug collate "C") as brands,
      coalesce((select json_agg(json_build_object('label', v.label, 'landingUrl', v.landing_url) order by v.position, v.label)
        from offer_variants v where v.offer_id = offer.id), '[]') as variants,
      coalesce((select json_agg(json_build_object('id', v.id, 'label', v.label, 'codes',
          (select count(*) from offer_codes k where k.offer_id = offer.id and k.variant_id = v.id)) order by v.position, v.label)
        from offer_variants v where v.offer_id = offer.id), '[]') as "variantIds",
      (select json_build_object('free', count(*) filter (where k.member_id is null), 'total', count(*))
        from offer_codes k where k.offer_id = offer.id and k.code_kind = 'pool') as pool,
      coalesce((select json_agg(json_build_object('slug', b.slug, 'name', b.name,
          'host', ${mainHostOf(sql`b.id`)}) order by b.name)
        from brand_retailers shown join brands b on b.id = shown.brand_id where shown.retailer_id = offer.retailer_id
          and (not exists (select from offer_brands reserved where reserved.offer_id = offer.id)
            or exists (select from offer_brands ours where ours.offer_id = offer.id and ours.brand_id = b.id))
          and (offer.kind <> 'app_exclusive' or b.id in (select id from brands_with_app()))), '[]') as "shownBy"
    from offers offer where offer.public_id = ${publicId}
    ${lock}`.execute(db);
  const [row] = rows;
  return row ? { ...row, fingerprint: fingerprintOf(row) } : null;
}

function fingerprintOf(record: Omit<OfferRecord, "fingerprint">): string {
  return createHash("sha256")
    .update(JSON.stringify([record.status, typedOfOffer(record)]))
    .digest("base64url")
    .slice(0, 22);
}

/** Returns an offer as the fields of its form, which offerSchema reads again. */
export function typedOfOffer(form: OfferForm): Record<string, string> {
  const boxes = [
    ...form.categories.map((slug) => [`category-${slug}`, "yes"]),
    ...form.brands.map((slug) => [`brand-${slug}`, "yes"]),
  ] as [string, string][];
  return {
    ...{ kind: form.kind, title: form.title, headline: form.headline, description: form.description },
    ...{ terms: form.terms, exclusions: form.exclusions, landingUrl: form.landingUrl, code: form.code ?? "" },
    ...(form.adultsOnly ? { adultsOnly: "yes" } : {}),
    startsAt: toLondon(form.startsAt),
    endsAt: form.endsAt ? toLondon(form.endsAt) : "",
    popularity: String(form.popularity),
    variants: form.variants
      .map(({ label, landingUrl }) => (landingUrl ? `${label} | ${landingUrl}` : label))
      .join("\n"),
    ...Object.fromEntries(boxes),
  };
}

/** Returns the titles of offers, in the order of the ids; unknown ids are left out. */
export async function findOfferTitles(
  db: Db,
  { publicIds }: { publicIds: readonly string[] },
): Promise<{ publicId: string; title: string }[]> {
  const { rows } = await sql<{ publicId: string; title: string }>`select offer.public_id as "publicId", offer.title
    from unnest(${[...publicIds]}::text[]) with ordinality as wanted (id, place) join offers offer on offer.public_id = wanted.id
    order by wanted.place`.execute(db);
  return rows;
}
