import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { slugOf } from "../../catalogue-imports/slug.ts";
import { endAlarmWithoutVariant } from "../../reveals/pool-alarms.server.ts";
import { refreshOffers } from "../../search/refresh-offers.server.ts";
import { toLondon } from "../london-time.ts";
import { unknownNames } from "../unknown-names.server.ts";
import { findOfferRecord, lockRetailerOf, type OfferRecord } from "./find-offer-record.server.ts";
import { foreignLandings } from "./foreign-landings.server.ts";
import type { OfferForm } from "./offer-schema.ts";

export type OfferFaults = Partial<Record<keyof OfferForm | "retailer", string>>;

export type OfferChange =
  | { outcome: "changed" | "unchanged" | "unknown" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; record: OfferRecord }
  /** Nothing was written. Sentences, by field. */
  | { outcome: "refused"; faults: OfferFaults };

/** What imports would write, by field of the form: the column's name, or the list's, as `kept` has it. */
const importedFields = {
  ...{ kind: "kind", title: "title", headline: "headline", description: "description", terms: "terms" },
  ...{ exclusions: "exclusions", landingUrl: "landing_url", code: "code", adultsOnly: "adults_only" },
  ...{ startsAt: "starts_at", endsAt: "ends_at", popularity: "popularity" },
  ...{ categories: "categories", brands: "brands", variants: "variants" },
} as const satisfies Record<keyof OfferForm, string>;

/**
 * Changes an offer to what a form says, if it is still what the form showed (`seen`, a fingerprint). What is changed of an offer of a
 * network is the club's from then on: imports leave it. An offer that becomes one in store leaves its programme, because no click leads
 * to it; one that is no longer in store gets the retailer's.
 */
export async function changeOffer(
  db: Db,
  { publicId, seen, form, now }: { publicId: string; seen: string; form: OfferForm; now: Date },
): Promise<OfferChange> {
  return await db.transaction().execute(async (trx): Promise<OfferChange> => {
    const record = await findOfferRecord(trx, { publicId, isLocked: true });
    if (!record) return { outcome: "unknown" };
    if (record.fingerprint !== seen) return { outcome: "stale", record };
    const changed = fieldsChanged(record, form);
    if (changed.length === 0) return { outcome: "unchanged" };
    const programmeId = await programmeOf(trx, record, form);
    const isMoved =
      changed.includes("landingUrl") || changed.includes("variants") || programmeId !== record.programmeId;
    const faults = {
      ...(await unknownNames(trx, form)),
      ...(isMoved && (await foreignLandings(trx, { programmeId, form }))),
      ...droppedVariants(record, form),
      ...(changed.includes("code") && (await pooledCode(trx, record.id, form.code))),
    };
    if (Object.keys(faults).length > 0) return { outcome: "refused", faults };
    const kept =
      record.network === null ? [] : [...new Set([...record.kept, ...changed.map((name) => importedFields[name])])];
    await trx
      .updateTable("offers")
      .set({ ...columnsOf(form, record), programme_id: programmeId, kept: kept.toSorted(), updated_at: now })
      .where("id", "=", record.id)
      .execute();
    await writeLists(trx, record.id, form);
    if (changed.includes("variants")) {
      await writeVariants(trx, record, form);
      if (form.variants.length > 0) await endAlarmWithoutVariant(trx, { offerId: record.id, now });
    }
    if (changed.includes("code")) await writeSharedCode(trx, record.id, form.code);
    await refreshOffers(trx, { offerIds: [record.id], now });
    return { outcome: "changed" };
  });
}

/** Returns the programme that an offer is sold through once it is what the form says. */
async function programmeOf(
  trx: Trx,
  { id, kind, programmeId }: Pick<OfferRecord, "id" | "kind" | "programmeId">,
  form: Pick<OfferForm, "kind">,
): Promise<string | null> {
  if (form.kind === "in_store") return null;
  if (kind !== "in_store") return programmeId;
  const { rows } = await sql<{ id: string }>`
    select programme.id from offers offer join programmes programme on programme.retailer_id = offer.retailer_id
    where offer.id = ${id} and programme.status = 'joined' and programme.network_id = coalesce(offer.network_id, programme.network_id)
    order by programme.is_preferred desc, programme.id limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

export type CreatedOffer = { outcome: "created"; publicId: string } | { outcome: "refused"; faults: OfferFaults };

/**
 * Adds an offer of the club's own, withdrawn until somebody publishes it. It is sold through the retailer's preferred programme, unless it is
 * in store.
 * @param number the club's own reference, by which an import finds it again; by default a random one
 */
export async function createOffer(
  db: Db,
  { retailer: slug, form, number, now }: { retailer: string; form: OfferForm; number?: string; now: Date },
): Promise<CreatedOffer> {
  return await db.transaction().execute(async (trx): Promise<CreatedOffer> => {
    const { rows } = await sql<{
      id: string;
      slug: string;
      programmeId: string | null;
      place: string | null;
    }>`select r.id, r.slug,
        (select place.slug from retailers place where place.id = r.merged_into_id) as place,
        (select p.id from programmes p where p.retailer_id = r.id and p.status = 'joined' order by p.is_preferred desc, p.id limit 1) as "programmeId"
      from retailers r where r.slug = ${slug} or lower(r.name) = lower(${slug}) order by r.slug = ${slug} desc limit 2`.execute(
      trx,
    );
    // Of two retailers with one name, only the address says which.
    const retailer = rows[0]?.slug === slug || rows.length === 1 ? rows[0] : undefined;
    const faults: OfferFaults = {
      ...(retailer
        ? retailer.place === null
          ? {}
          : { retailer: `This retailer was merged into “${retailer.place}”. Make the offer there.` }
        : { retailer: rows.length > 1 ? twoRetailers(slug) : noRetailer(slug) }),
      ...(await unknownNames(trx, form)),
      ...(retailer &&
        (await foreignLandings(trx, { programmeId: form.kind === "in_store" ? null : retailer.programmeId, form }))),
    };
    if (!retailer || Object.keys(faults).length > 0) return { outcome: "refused", faults };
    const id = newId();
    const { public_id: publicId } = await trx
      .insertInto("offers")
      .values({
        id,
        ...columnsOf(form, null),
        retailer_id: retailer.id,
        programme_id: form.kind === "in_store" ? null : retailer.programmeId,
        network_id: null,
        network_offer_id: number ?? id,
        status: "withdrawn",
        ...{ created_at: now, updated_at: now },
      })
      .returning("public_id")
      .executeTakeFirstOrThrow();
    await writeLists(trx, id, form);
    await writeVariants(trx, { id, variantIds: [] }, form);
    await writeSharedCode(trx, id, form.code);
    return { outcome: "created", publicId };
  });
}

/**
 * Publishes or withdraws an offer. Imports leave a withdrawn one withdrawn until somebody publishes it again. Returns false where it
 * is so already, or unknown.
 */
export async function setOfferStatus(
  db: Db,
  { publicId, status, now }: { publicId: string; status: "live" | "withdrawn"; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await lockRetailerOf(trx, { publicId });
    // Waits for an index that has added the offer's document: it could not be deleted before the index commits.
    await sql`select from offers where public_id = ${publicId} for update`.execute(trx);
    const { rows } = await sql<{ id: string }>`
      update offers set status = ${status}, updated_at = ${now}, kept = array_remove(kept, 'status')
        || case when ${status} = 'withdrawn' and network_id is not null then '{status}'::text[] else '{}' end
      where public_id = ${publicId} and status <> ${status} returning id`.execute(trx);
    await refreshOffers(trx, { offerIds: rows.map(({ id }) => id), now });
    return rows.length > 0;
  });
}

/** Lets imports write the fields again that operators have set. A withdrawn offer stays withdrawn until the next import lists it. */
export async function releaseOffer(db: Db, { publicId, now }: { publicId: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("offers")
    .set({ kept: [], updated_at: now })
    .where("public_id", "=", publicId)
    .where(sql<boolean>`cardinality(kept) > 0`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function fieldsChanged(record: OfferRecord, form: OfferForm): (keyof OfferForm)[] {
  const names = Object.keys(importedFields) as (keyof OfferForm)[];
  return names.filter((name) => shown(record[name]) !== shown(form[name]));
}

/** Moments are compared as the form shows them: to the second. */
function shown(value: OfferForm[keyof OfferForm]): string {
  if (value instanceof Date) return toLondon(value);
  return JSON.stringify(value);
}

function columnsOf(form: OfferForm, record: OfferRecord | null) {
  const same = (now: Date | null, before: Date | null | undefined) =>
    now && before && toLondon(now) === toLondon(before) ? before : now;
  return {
    ...{ kind: form.kind, title: form.title, slug: slugOf(form.title, "offer"), headline: form.headline },
    ...{ description: form.description, terms: form.terms, exclusions: form.exclusions },
    ...{ landing_url: form.landingUrl, adults_only: form.adultsOnly, popularity: form.popularity },
    starts_at: same(form.startsAt, record?.startsAt) ?? form.startsAt,
    ends_at: same(form.endsAt, record?.endsAt),
  };
}

const twoRetailers = (name: string) =>
  `Two retailers are called “${name}”. Take the last part of its address on the site.`;

export const noRetailer = (slug: string) =>
  `There is no retailer “${slug}”. Take the last part of its address on the site.`;

/** Codes of a variant were given to members: a variant that has any stays. */
function droppedVariants(record: OfferRecord, form: OfferForm): OfferFaults {
  const held = leftOver(record, form).find(({ codes }) => codes > 0);
  if (!held) return {};
  const codes = held.codes === 1 ? "1 code" : `${held.codes} codes`;
  return { variants: `“${held.label}” has ${codes}, so it can be renamed but not removed. Put it back.` };
}

/** Variants that are in no line any more: lines with the same label, then lines at the same place, are theirs. */
function leftOver({ variantIds }: Pick<OfferRecord, "variantIds">, form: OfferForm): OfferRecord["variantIds"] {
  const taken = new Set(assigned({ variantIds }, form).map(({ id }) => id));
  return variantIds.filter(({ id }) => !taken.has(id));
}

function assigned({ variantIds }: Pick<OfferRecord, "variantIds">, { variants }: OfferForm) {
  const byLabel = new Map(variantIds.map((variant) => [variant.label, variant.id]));
  const labels = new Set(variants.map(({ label }) => label));
  return variants.map((variant, position) => {
    const atPlace = variantIds[position];
    const renamed = atPlace && !labels.has(atPlace.label) ? atPlace.id : null;
    return { ...variant, position, id: byLabel.get(variant.label) ?? renamed };
  });
}

async function writeVariants(trx: Trx, record: Pick<OfferRecord, "id" | "variantIds">, form: OfferForm): Promise<void> {
  for (const { id } of leftOver(record, form)) await trx.deleteFrom("offer_variants").where("id", "=", id).execute();
  const wanted = assigned(record, form);
  // Two variants may swap labels: each gets a label of its own first.
  await sql`update offer_variants set label = id::text where offer_id = ${record.id}`.execute(trx);
  for (const { id, label, landingUrl, position } of wanted) {
    const values = { label, landing_url: landingUrl, position };
    if (id) await trx.updateTable("offer_variants").set(values).where("id", "=", id).execute();
    else
      await trx
        .insertInto("offer_variants")
        .values({ id: newId(), offer_id: record.id, ...values })
        .execute();
  }
}

async function writeLists(trx: Trx, offerId: string, { categories, brands }: OfferForm): Promise<void> {
  await sql`delete from offer_categories where offer_id = ${offerId}
    and category_id not in (select id from categories where slug = any(${categories}::text[]))`.execute(trx);
  await sql`insert into offer_categories (offer_id, category_id)
    select ${offerId}, id from categories where slug = any(${categories}::text[]) on conflict do nothing`.execute(trx);
  await sql`delete from offer_brands where offer_id = ${offerId}
    and brand_id not in (select id from brands where slug = any(${brands}::text[]))`.execute(trx);
  await sql`insert into offer_brands (offer_id, brand_id)
    select ${offerId}, id from brands where slug = any(${brands}::text[]) on conflict do nothing`.execute(trx);
}

/** A code of the offer's pool, for whichever variant, is for one member. */
async function pooledCode(trx: Trx, offerId: string, code: string | null): Promise<OfferFaults> {
  const { rows } = await sql`select from offer_codes
    where offer_id = ${offerId} and code_kind = 'pool' and code = ${code} limit 1`.execute(trx);
  if (rows.length === 0) return {};
  return { code: `“${code}” is in this offer’s pool, where each code is for one member. Take another code.` };
}

/** A new code is a new row: members' votes are about the code that they used. */
async function writeSharedCode(trx: Trx, offerId: string, code: string | null): Promise<void> {
  await sql`delete from offer_codes where offer_id = ${offerId} and code_kind = 'shared' and variant_id is null`.execute(
    trx,
  );
  if (code === null) return;
  await trx.insertInto("offer_codes").values({ id: newId(), offer_id: offerId, code_kind: "shared", code }).execute();
}
