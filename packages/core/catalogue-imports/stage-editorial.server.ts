import type { Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { EditorialCategory, EditorialRetailer } from "./editorial-schema.ts";
import type { RecordPlace } from "./read-records.server.ts";
import { StagingTable } from "./staging.server.ts";

/** Writes the editorial file's records to temporary tables; each row has the line of its retailer's record. */
export interface EditorialStaging {
  addBrand(slug: string, place: RecordPlace): Promise<void>;
  addCategory(category: EditorialCategory, place: RecordPlace): Promise<void>;
  addRetailer(retailer: EditorialRetailer, place: RecordPlace): Promise<void>;
  finish(): Promise<void>;
}

const place = { line: "integer", record: "integer" } as const;
const ofRetailer = { ...place, network_programme_id: "text" } as const;
const ofOffer = { ...ofRetailer, network_offer_id: "text" } as const;

const tables = {
  staged_brands: { ...place, slug: "text" },
  staged_categories: { ...place, id: "uuid", slug: "text", name: "text", body: "text", position: "integer" },
  staged_retailers: {
    ...ofRetailer,
    slug: "text",
    name: "text",
    short_info: "text",
    long_info: "text",
    terms: "text",
    status: "text",
    accepts_claims: "boolean",
    adults_only: "boolean",
    tracks_min: "integer",
    tracks_max: "integer",
    confirms_min: "integer",
    confirms_max: "integer",
    confirms_after: "text",
    popularity: "integer",
  },
  staged_retailer_categories: { ...ofRetailer, category: "text", is_main: "boolean" },
  staged_tier_notes: { ...ofRetailer, group_id: "text", basis: "text", cap_pence: "bigint" },
  staged_boosts: {
    ...ofRetailer,
    id: "uuid",
    group_id: "text",
    rate_bp: "integer",
    rate_pence: "bigint",
    starts_text: "text",
    ends_text: "text",
  },
  staged_other_programmes: {
    ...ofRetailer,
    id: "uuid",
    network: "text",
    other_id: "text",
    name: "text",
    currency: "text",
    landing_url: "text",
    valid_domains: "text[]",
  },
  staged_hidden: { ...ofRetailer, brand: "text" },
  staged_featured: { ...ofRetailer, brand: "text" },
  staged_offers: {
    ...ofOffer,
    kind: "text",
    headline: "text",
    exclusions: "text",
    popularity: "integer",
    adults_only: "boolean",
    has_variants: "boolean",
    has_brands: "boolean",
  },
  staged_offer_categories: { ...ofOffer, category: "text" },
  staged_offer_brands: { ...ofOffer, brand: "text" },
  staged_variants: { ...ofOffer, id: "uuid", label: "text", landing_url: "text", position: "integer" },
  staged_codes: { ...ofOffer, id: "uuid", code: "text" },
} as const;

type TableName = keyof typeof tables;

export async function createEditorialStaging(trx: Trx): Promise<EditorialStaging> {
  const opened = new Map<TableName, StagingTable<Record<string, unknown>>>();
  for (const [name, columns] of Object.entries(tables)) {
    opened.set(name as TableName, await StagingTable.create<Record<string, unknown>>(trx, name, columns));
  }
  const add = (table: TableName, row: Record<string, unknown>) =>
    (opened.get(table) as StagingTable<Record<string, unknown>>).add(row);

  return {
    addBrand: (slug, at) => add("staged_brands", { line: at.line, record: at.index, slug }),
    addCategory: (category, at) =>
      add("staged_categories", { line: at.line, record: at.index, id: newId(), ...category, position: at.index }),
    async addRetailer(retailer, at) {
      const own = { line: at.line, record: at.index, network_programme_id: retailer.networkProgrammeId };
      await add("staged_retailers", { ...own, ...retailerColumns(retailer) });
      for (const [index, category] of retailer.categories.entries())
        await add("staged_retailer_categories", { ...own, category, is_main: index === 0 });
      for (const tier of retailer.tiers)
        await add("staged_tier_notes", {
          ...own,
          group_id: tier.groupId,
          basis: tier.basis ?? null,
          cap_pence: tier.capPence ?? null,
        });
      for (const boost of retailer.boosts) {
        const rates = { rate_bp: boost.memberRateBp ?? null, rate_pence: boost.memberRatePence ?? null };
        await add("staged_boosts", {
          ...own,
          id: newId(),
          group_id: boost.groupId,
          ...rates,
          starts_text: boost.startsAt,
          ends_text: boost.endsAt,
        });
      }
      for (const other of retailer.otherProgrammes) {
        const row = {
          network: other.network,
          other_id: other.networkProgrammeId,
          name: other.name,
          currency: other.currency,
          landing_url: other.landingUrl,
        };
        await add("staged_other_programmes", { ...own, id: newId(), ...row, valid_domains: other.validDomains });
      }
      for (const brand of retailer.brands.hiddenFrom) await add("staged_hidden", { ...own, brand });
      for (const brand of retailer.brands.featuredOn) await add("staged_featured", { ...own, brand });
      for (const offer of retailer.offers) {
        const ofThis = { ...own, network_offer_id: offer.networkOfferId };
        await add("staged_offers", {
          ...ofThis,
          kind: offer.kind ?? null,
          headline: offer.headline ?? null,
          exclusions: offer.exclusions ?? null,
          popularity: offer.popularity ?? null,
          adults_only: offer.adultsOnly ?? null,
          has_variants: offer.variants !== undefined,
          has_brands: offer.brands !== undefined,
        });
        for (const category of offer.categories ?? []) await add("staged_offer_categories", { ...ofThis, category });
        for (const brand of offer.brands ?? []) await add("staged_offer_brands", { ...ofThis, brand });
        for (const [position, variant] of (offer.variants ?? []).entries()) {
          await add("staged_variants", {
            ...ofThis,
            id: newId(),
            label: variant.label,
            landing_url: variant.landingUrl ?? null,
            position,
          });
        }
        for (const code of offer.codePool ?? []) await add("staged_codes", { ...ofThis, id: newId(), code });
      }
    },
    async finish() {
      for (const table of opened.values()) await table.finish();
    },
  };
}

function retailerColumns(retailer: EditorialRetailer): Record<string, unknown> {
  return {
    slug: retailer.slug,
    name: retailer.name,
    short_info: retailer.shortInfo,
    long_info: retailer.longInfo,
    terms: retailer.terms,
    status: retailer.status,
    accepts_claims: retailer.acceptsClaims,
    adults_only: retailer.adultsOnly,
    tracks_min: retailer.tracksWithinDays.min,
    tracks_max: retailer.tracksWithinDays.max,
    confirms_min: retailer.confirmsWithinDays.min,
    confirms_max: retailer.confirmsWithinDays.max,
    confirms_after: retailer.confirmsAfter,
    popularity: retailer.popularity,
  };
}
