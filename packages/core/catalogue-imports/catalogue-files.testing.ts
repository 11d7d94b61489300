import type { Db } from "@farthing/db/client.ts";
import { z } from "zod";
import type { FeedProgramme, FeedPromotion } from "./feed.ts";
import { importCatalogue, type ImportRequest } from "./import-catalogue.server.ts";
import { describeProblem } from "./import-problem.ts";
import type { FileReport } from "./import-report.ts";
import { textSource } from "./import-source.server.ts";
import type { FeedAdapter } from "./provider.ts";

/** Records of a made-up network whose fields have core's own names (feed.ts), valid in every field; pass what should be different. */

export function programme(id: number, different: Partial<FeedProgramme> = {}): FeedProgramme {
  return {
    networkProgrammeId: String(id),
    name: `Shop ${id}`,
    landingUrl: `https://shop-${id}.example/`,
    currency: "GBP",
    status: "joined",
    description: "Sells things.",
    validDomains: [`shop-${id}.example`],
    commissionGroups: [{ groupId: String(id * 10), label: "Everything", kind: "percent", rateBp: 750 }],
    ...different,
  };
}

export function promotion(
  id: number,
  programmeId: number,
  different: Partial<Record<keyof FeedPromotion, unknown>> = {},
): Record<string, unknown> {
  return {
    networkOfferId: String(id),
    networkProgrammeId: String(programmeId),
    kind: "code",
    title: `10% off order ${id}`,
    description: "Ten per cent less.",
    terms: "One use.",
    landingUrl: `https://shop-${programmeId}.example/offer`,
    startsAt: "2026-01-01T00:00:00+00:00",
    endsAt: "2099-01-01T00:00:00+00:00",
    code: `CODE${id}`,
    ...different,
  };
}

/** Reads those records as they are, and checks only what these tests get wrong. */
export const plainFeed: FeedAdapter = {
  timeZone: "Europe/London",
  programmes: {
    lists: [""],
    schema: z.custom<FeedProgramme>(),
    idField: "networkProgrammeId",
    fieldNames: { commissionGroups: "commissionGroups" },
  },
  promotions: {
    lists: [""],
    schema: z.custom<FeedPromotion>(),
    idField: "networkOfferId",
    fieldNames: { networkProgrammeId: "networkProgrammeId", startsAt: "startsAt", endsAt: "endsAt" },
  },
};

export function editorialRetailer(
  networkProgrammeId: string,
  different: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    networkProgrammeId,
    slug: `shop-${networkProgrammeId}`,
    name: `Shop ${networkProgrammeId}`,
    shortInfo: "A shop.",
    longInfo: "A shop with a story.",
    terms: "Cashback is worked out without VAT.",
    status: "active",
    acceptsClaims: true,
    adultsOnly: false,
    tracksWithinDays: { min: 1, max: 3 },
    confirmsWithinDays: { min: 35, max: 75 },
    confirmsAfter: "purchase",
    popularity: 10,
    categories: ["things"],
    ...different,
  };
}

/** One record a line, so that record n of the list stands on line n + 2. */
export function recordsFile(...records: unknown[]): string {
  return `[\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n]\n`;
}

export function editorialFile(
  retailers: unknown[],
  {
    brands = [],
    categories = [{ slug: "things", name: "Things", body: "" }],
  }: { brands?: unknown[]; categories?: unknown[] } = {},
): string {
  const lines = (records: unknown[]) => records.map((record) => JSON.stringify(record)).join(",\n");
  return `{"brands": ${JSON.stringify(brands)},\n"categories": [\n${lines(categories)}\n],\n"retailers": [\n${lines(retailers)}\n]}\n`;
}

export interface FileTexts {
  programmes?: string;
  promotions?: string;
  editorial?: string;
}

/** Imports texts as a network's files, by default those of `plainFeed`. Problems are returned as the lines a person reads. */
export async function importTexts(
  db: Db,
  texts: FileTexts,
  options: Partial<ImportRequest> = {},
): Promise<{ outcome: string; files: FileReport[]; problems: string[]; problemCount: number }> {
  const source = (name: string, text: string | undefined) => (text === undefined ? undefined : textSource(name, text));
  const result = await importCatalogue(db, {
    network: "awin",
    feed: plainFeed,
    now: new Date("2026-11-20T12:00:00Z"),
    programmes: source("programmes.json", texts.programmes),
    promotions: source("promotions.json", texts.promotions),
    editorial: source("editorial.json", texts.editorial),
    ...options,
  });
  if (result.outcome !== "refused") return { ...result, problems: [], problemCount: 0 };
  return { ...result, problems: result.problems.map(describeProblem) };
}

/** Returns every row of the catalogue's tables as sorted JSON: equal results mean that no row has changed. */
export async function catalogueRows(db: Db): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  const tables = [
    "categories",
    "retailers",
    "retailer_categories",
    "programmes",
    "rate_tiers",
    "boosts",
    "offers",
    "offer_categories",
    "offer_variants",
    "offer_codes",
    "offer_brands",
    "brand_retailers",
    "catalogue_imports",
  ] as const;
  for (const table of tables) {
    const found = await db.selectFrom(table).selectAll().execute();
    rows[table] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}
