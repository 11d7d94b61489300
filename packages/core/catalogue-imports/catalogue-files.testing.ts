import type { Db } from "@farthing/db/client.ts";
import { importCatalogue, type ImportRequest } from "./import-catalogue.server.ts";
import { describeProblem } from "./import-problem.ts";
import type { FileReport } from "./import-report.ts";
import { textSource } from "./import-source.server.ts";

/** Records in Awin's shape for tests, right in every field; give what should be different. */

export function programme(id: number, different: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    name: `Shop ${id}`,
    displayUrl: `https://shop-${id}.example/`,
    clickThroughUrl: `https://www.awin1.com/awclick.php?mid=${id}&id=1`,
    currencyCode: "GBP",
    primaryRegion: { name: "United Kingdom", countryCode: "GB" },
    status: "joined",
    description: "Sells things.",
    validDomains: [{ domain: `shop-${id}.example` }],
    commissionGroups: [
      { groupId: id * 10, groupCode: "DEFAULT", groupName: "Everything", type: "percentage", percentage: 7.5 },
    ],
    ...different,
  };
}

export function promotion(
  promotionId: number,
  advertiser: number,
  different: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    promotionId,
    type: "voucher",
    advertiser: { id: advertiser, name: `Shop ${advertiser}`, joined: true },
    title: `10% off order ${promotionId}`,
    description: "Ten per cent less.",
    terms: "One use.",
    startDate: "2026-01-01T00:00:00+00:00",
    endDate: "2099-01-01T00:00:00+00:00",
    url: `https://shop-${advertiser}.example/offer`,
    urlTracking: "https://www.awin1.com/cread.php",
    dateAdded: "2026-01-01T00:00:00+00:00",
    campaign: "",
    regions: { all: true },
    voucher: { code: `CODE${promotionId}`, exclusive: false, attributable: false },
    ...different,
  };
}

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

/** One record a line, so that record n of a list stands on line n + 2. */
export function programmesFile(...records: unknown[]): string {
  return `[\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n]\n`;
}

export function promotionsFile(...records: unknown[]): string {
  return `{"data": [\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n],\n"pagination": {"page": 1, "pageSize": 200, "total": ${records.length}}}\n`;
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

/** Imports texts as Awin's files. Problems come as the lines a person reads. */
export async function importTexts(
  db: Db,
  texts: FileTexts,
  options: Partial<ImportRequest> = {},
): Promise<{ outcome: string; files: FileReport[]; problems: string[]; problemCount: number }> {
  const source = (name: string, text: string | undefined) => (text === undefined ? undefined : textSource(name, text));
  const result = await importCatalogue(db, {
    network: "awin",
    now: new Date("2026-11-20T12:00:00Z"),
    programmes: source("programmes.json", texts.programmes),
    promotions: source("promotions.json", texts.promotions),
    editorial: source("editorial.json", texts.editorial),
    ...options,
  });
  if (result.outcome !== "refused") return { ...result, problems: [], problemCount: 0 };
  return { ...result, problems: result.problems.map(describeProblem) };
}

/** Every row of the catalogue's tables, without the times that a rewrite would change: equal means that nothing changed. */
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
