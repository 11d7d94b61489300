import type { CsvReading } from "../../catalogue-imports/provider.ts";
import { csvLine, keepGuard, withoutGuard } from "../../personal-data/csv.ts";
import { offerKinds } from "../catalogue-view.ts";
import { toLondon } from "../london-time.ts";
import type { OfferForm } from "./offer-schema.ts";

/** The columns of a file of the club's own offers, each with what it holds, in the file's order (A2). All have to be there. */
export const offerColumns = {
  reference:
    "The club’s own name for the offer, such as summer-26: letters, digits, dots, hyphens. A new one makes an offer, a known one changes it.",
  retailer: "The last part of the retailer’s address: fernhollow-boots. It can’t be changed later.",
  state: "published or withdrawn.",
  kind: `One of ${offerKinds.join(", ")}.`,
  title: "At most 200 characters.",
  headline: "What the member gets, at most 40 characters: 15% off. May be empty.",
  description: "May be empty.",
  terms: "May be empty.",
  exclusions: "May be empty.",
  landing_url: "Where it leads, with https://.",
  code: "The code that every member gets. Empty: none. Codes for one member each are added on the page of codes.",
  over_18s_only: "yes or no.",
  starts_at: "London’s time: 2026-11-30 09:00.",
  ends_at: "London’s time. Empty: it goes on.",
  popularity: "A whole number; higher ones come first. Empty: 0.",
  categories: "Addresses of categories, with a space between them: shoes-and-bags sports-and-outdoors.",
  brands: "Addresses of the only brands that show it, with a space between them. Empty: all that show the retailer.",
  variants: "One in each line of the cell: a label, or a label and an address with “ | ” between them. Empty: none.",
} as const;
export type OfferColumn = keyof typeof offerColumns;
const names = Object.keys(offerColumns) as OfferColumn[];

/** The column of each field of the form, for what is wrong with it. */
export const columnOfField: Record<keyof OfferForm | "retailer", OfferColumn> = {
  ...{ retailer: "retailer", kind: "kind", title: "title", headline: "headline", description: "description" },
  ...{ terms: "terms", exclusions: "exclusions", landingUrl: "landing_url", code: "code", adultsOnly: "over_18s_only" },
  ...{ startsAt: "starts_at", endsAt: "ends_at", popularity: "popularity" },
  ...{ categories: "categories", brands: "brands", variants: "variants" },
};

/** How the shared reader of CSV reads the file. */
export const offersReading: CsvReading = {
  columns: names,
  toRecord: (row) => Object.fromEntries(names.map((name) => [name, withoutGuard(row[name] ?? "")])),
  columnOf: (field) => field,
};

/** Returns a row's cells as the fields of the form, which offerSchema reads. */
export function typedOfRow(row: Readonly<Record<OfferColumn, string>>): Record<string, string> {
  const boxes = (["category", "brand"] as const).flatMap((kind) =>
    listed(row[kind === "category" ? "categories" : "brands"]).map((slug) => [`${kind}-${slug}`, "yes"] as const),
  );
  return {
    ...{ kind: row.kind.trim(), title: row.title, headline: row.headline, description: row.description },
    ...{ terms: row.terms, exclusions: row.exclusions, landingUrl: row.landing_url, code: row.code },
    ...{ startsAt: momentOf(row.starts_at), endsAt: momentOf(row.ends_at), popularity: row.popularity },
    ...(isYes(row.over_18s_only) ? { adultsOnly: "yes" } : {}),
    variants: row.variants,
    ...Object.fromEntries(boxes),
  };
}

/** Returns the names in a row that the catalogue has to know. */
export const namesOfRow = (row: Readonly<Record<OfferColumn, string>>): Pick<OfferForm, "categories" | "brands"> => ({
  categories: listed(row.categories),
  brands: listed(row.brands),
});

const listed = (cell: string) => cell.split(/[\s,;]+/).filter((slug) => slug !== "");
const isYes = (cell: string) => /^yes$/i.test(cell.trim());

/** Returns a date and time as people and spreadsheets write it as that of a form's field; other text is left for the schema to refuse. */
function momentOf(cell: string): string {
  const text = cell.trim();
  const [, day, month, year, time] = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2}(?::\d{2})?)$/.exec(text) ?? [];
  return day ? `${year}-${month}-${day}T${time}` : text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T");
}

/** The header of the file, which a spreadsheet reads as UTF-8. */
export const offersHead = `\uFEFF${csvLine(names)}`;

/** Returns one offer as a line of the file. Read again, it changes nothing. */
export function offerLine(
  offer: OfferForm & { number: string; retailer: { slug: string }; status: "live" | "withdrawn" },
): string {
  const cells: Record<OfferColumn, string> = {
    ...{ reference: offer.number, retailer: offer.retailer.slug },
    state: offer.status === "live" ? "published" : "withdrawn",
    ...{ kind: offer.kind, title: offer.title, headline: offer.headline, description: offer.description },
    ...{ terms: offer.terms, exclusions: offer.exclusions, landing_url: offer.landingUrl, code: offer.code ?? "" },
    over_18s_only: offer.adultsOnly ? "yes" : "no",
    starts_at: toLondon(offer.startsAt).replace("T", " "),
    ends_at: offer.endsAt ? toLondon(offer.endsAt).replace("T", " ") : "",
    popularity: String(offer.popularity),
    categories: offer.categories.join(" "),
    brands: offer.brands.join(" "),
    variants: offer.variants
      .map(({ label, landingUrl }) => (landingUrl ? `${label} | ${landingUrl}` : label))
      .join("\n"),
  };
  return csvLine(names.map((name) => keepGuard(cells[name])));
}

/** The template to download: the header, and one offer to write over. */
export const offersTemplate = `${offersHead}${offerLine({
  ...{ number: "summer-26", retailer: { slug: "fernhollow-boots" }, status: "withdrawn", kind: "code" },
  ...{
    title: "15% off walking boots",
    headline: "15% off",
    description: "On everything in the summer range.",
    terms: "",
    exclusions: "",
  },
  ...{ landingUrl: "https://fernhollow-boots.example/summer", code: "SUMMER26", adultsOnly: false, popularity: 0 },
  ...{ startsAt: new Date("2026-06-01T08:00:00Z"), endsAt: new Date("2026-08-31T22:59:00Z") },
  ...{ categories: [], brands: [], variants: [] },
})}`;
