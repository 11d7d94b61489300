import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { slugOf } from "../../catalogue-imports/slug.ts";
import { findRetailerTroubles, planTroubleNotices } from "../../gift-cards/wallet-notices.server.ts";
import { refreshRetailers } from "../../search/refresh-offers.server.ts";
import { unknownNames } from "../unknown-names.server.ts";
import { findRetailerRecord, formOf, type RetailerRecord } from "./find-retailer-record.server.ts";
import type { RetailerForm } from "./retailer-schema.ts";

export type RetailerFaults = Partial<Record<keyof RetailerForm, string>>;

export type RetailerChange =
  /** `merged`: it was merged into another, and stays as it was. */
  | { outcome: "changed" | "unchanged" | "unknown" | "merged" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; record: RetailerRecord }
  /** Nothing was written. Sentences, by field. */
  | { outcome: "refused"; faults: RetailerFaults };

/**
 * Changes a retailer to what a form says, if it is still what the form showed (`seen`, a fingerprint). Its address stays: links lead to
 * it. Owners of its gift cards are told when it is in administration or closed.
 */
export async function changeRetailer(
  db: Db,
  { slug, seen, form, now }: { slug: string; seen: string; form: RetailerForm; now: Date },
): Promise<RetailerChange> {
  return await db.transaction().execute(async (trx): Promise<RetailerChange> => {
    const record = await findRetailerRecord(trx, { slug, isLocked: true });
    if (!record) return { outcome: "unknown" };
    if (record.mergedInto) return { outcome: "merged" };
    if (record.fingerprint !== seen) return { outcome: "stale", record };
    if (JSON.stringify(formOf(record)) === JSON.stringify(formOf(form))) return { outcome: "unchanged" };
    const faults = await unknownNames(trx, form);
    if (Object.keys(faults).length > 0) return { outcome: "refused", faults };
    const before = await findRetailerTroubles(trx, [record.id]);
    await trx
      .updateTable("retailers")
      .set({ ...columnsOf(form), updated_at: now })
      .where("id", "=", record.id)
      .execute();
    await writeLists(trx, record.id, form);
    await refreshRetailers(trx, { retailerIds: [record.id], now });
    await planTroubleNotices(trx, { before, now });
    return { outcome: "changed" };
  });
}

export type CreatedRetailer = { outcome: "created"; slug: string } | { outcome: "refused"; faults: RetailerFaults };

/** Adds a retailer without a network: for offers in store, and deals of the club's own. A network's programme brings its own. */
export async function createRetailer(
  db: Db,
  { form, now }: { form: RetailerForm; now: Date },
): Promise<CreatedRetailer> {
  return await db.transaction().execute(async (trx): Promise<CreatedRetailer> => {
    const faults = await unknownNames(trx, form);
    if (Object.keys(faults).length > 0) return { outcome: "refused", faults };
    const id = newId();
    const slug = slugOf(form.name, `retailer-${id.slice(-8)}`);
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto("retailers")
      .values({ id, slug, ...columnsOf(form), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n)
      return {
        outcome: "refused",
        faults: { name: `There is a retailer at the address “${slug}” already. Open it, or choose another name.` },
      };
    await writeLists(trx, id, form);
    await refreshRetailers(trx, { retailerIds: [id], now });
    return { outcome: "created", slug };
  });
}

function columnsOf(form: RetailerForm) {
  return {
    ...{ name: form.name, short_info: form.shortInfo, long_info: form.longInfo, terms: form.terms },
    ...{ homepage_url: form.homepageUrl, status: form.status, accepts_claims: form.acceptsClaims },
    ...{ adults_only: form.adultsOnly, popularity: form.popularity, confirms_after: form.confirmsAfter },
    ...{ tracks_within_days_min: form.tracksMin, tracks_within_days_max: form.tracksMax },
    ...{ confirms_within_days_min: form.confirmsMin, confirms_within_days_max: form.confirmsMax },
  };
}

async function writeLists(
  trx: Trx,
  retailerId: string,
  { mainCategory, categories, brands }: RetailerForm,
): Promise<void> {
  // Only one can be the main one, so that the old one makes way first.
  await sql`delete from retailer_categories where retailer_id = ${retailerId}
    and category_id not in (select id from categories where slug = any(${categories}::text[]))`.execute(trx);
  await sql`update retailer_categories set is_main = false where retailer_id = ${retailerId} and is_main
    and category_id not in (select id from categories where slug = ${mainCategory})`.execute(trx);
  await sql`insert into retailer_categories (retailer_id, category_id, is_main)
    select ${retailerId}, id, slug = coalesce(${mainCategory}, '') from categories where slug = any(${categories}::text[])
    on conflict (retailer_id, category_id) do update set is_main = excluded.is_main
    where retailer_categories.is_main <> excluded.is_main`.execute(trx);
  await sql`delete from brand_retailers where retailer_id = ${retailerId}
    and brand_id not in (select id from brands where slug = any(${brands}::text[]))`.execute(trx);
  await sql`insert into brand_retailers (brand_id, retailer_id)
    select id, ${retailerId} from brands where slug = any(${brands}::text[]) on conflict do nothing`.execute(trx);
}
