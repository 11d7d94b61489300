import { z } from "zod";
import type { RetailerStatus } from "../catalogue-view.ts";
import { httpUrl, plainText } from "../../catalogue-imports/field-schema.ts";
import { unprovedSuperlative } from "../../catalogue-imports/misleading-claim.ts";

/** The club's own words must claim nothing that it can't prove. */
const provenText = (max: number) =>
  plainText(max, 0).refine((text) => unprovedSuperlative(text) === null, {
    error: (issue) => unprovedSuperlative(String(issue.input)) ?? "claims something without evidence",
  });

const whole = (max: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number from 0 to ${max}`)
    .transform(Number)
    .pipe(z.number().max(max, `must be at most ${max}`));
const days = whole(1000);

/** From the best to the worst. */
export const retailerStatuses = ["active", "paused", "in_administration", "closed"] as const;
/** Returns whether a change of a retailer's state stops more than before: from active to closed each stops what the one before it does, and more. */
export function isWorse(from: RetailerStatus, to: RetailerStatus): boolean {
  return retailerStatuses.indexOf(to) > retailerStatuses.indexOf(from);
}

export const confirmsAfter = ["purchase", "travel", "stay"] as const;

const fields = z.object({
  name: plainText(80),
  shortInfo: provenText(400),
  longInfo: provenText(10_000),
  terms: plainText(10_000, 0),
  homepageUrl: httpUrl,
  status: z.enum(retailerStatuses, "Choose a state."),
  acceptsClaims: z.boolean(),
  adultsOnly: z.boolean(),
  tracksMin: days,
  tracksMax: days,
  confirmsMin: days,
  confirmsMax: days,
  confirmsAfter: z.enum(confirmsAfter, "Choose what it is confirmed after."),
  popularity: whole(1_000_000),
  /** The slug of the category that it is filed under first; null: in none. */
  mainCategory: z.string().nullable(),
  /** Slugs, the main one included. */
  categories: z.array(z.string()),
  /** Slugs of the brands that show it. */
  brands: z.array(z.string()),
});

/** A retailer as operators type it: the fields of the form, which are text, become values (A2). */
export const retailerSchema = z
  .record(z.string(), z.string())
  .transform(fieldsOf)
  .pipe(
    fields.superRefine((form, context) => {
      const add = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (form.tracksMax < form.tracksMin) add("tracksMax", "must not be less than the first number");
      if (form.confirmsMax < form.confirmsMin) add("confirmsMax", "must not be less than the first number");
    }),
  );
export type RetailerForm = z.infer<typeof fields>;

type Typed = Readonly<Record<string, string>>;

function fieldsOf(typed: Typed) {
  const text = (name: string) => (typed[name] ?? "").replaceAll("\r\n", "\n");
  const number = (name: string) => text(name).trim() || "0";
  const main = text("mainCategory").trim() || null;
  return {
    ...{ name: text("name"), shortInfo: text("shortInfo"), longInfo: text("longInfo"), terms: text("terms") },
    ...{ homepageUrl: text("homepageUrl").trim(), status: text("status"), confirmsAfter: text("confirmsAfter") },
    ...{ acceptsClaims: typed["acceptsClaims"] === "yes", adultsOnly: typed["adultsOnly"] === "yes" },
    ...{ tracksMin: number("tracksMin"), tracksMax: number("tracksMax") },
    ...{ confirmsMin: number("confirmsMin"), confirmsMax: number("confirmsMax"), popularity: number("popularity") },
    mainCategory: main,
    categories: [...new Set([...ticked(typed, "category-"), ...(main ? [main] : [])])].toSorted(),
    brands: ticked(typed, "brand-"),
  };
}

/** Returns the boxes of a form that are ticked: fields of their own, such as `category-<slug>`. */
function ticked(typed: Typed, prefix: string): string[] {
  return Object.keys(typed)
    .filter((name) => name.startsWith(prefix) && typed[name] === "yes")
    .map((name) => name.slice(prefix.length))
    .toSorted();
}

/** Returns a retailer as the fields of its form, which retailerSchema reads again. */
export function typedOfRetailer(form: RetailerForm): Record<string, string> {
  const { acceptsClaims, adultsOnly, categories, brands, mainCategory, ...plain } = form;
  return {
    ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, String(value)])),
    mainCategory: mainCategory ?? "",
    ...(acceptsClaims ? { acceptsClaims: "yes" } : {}),
    ...(adultsOnly ? { adultsOnly: "yes" } : {}),
    ...Object.fromEntries(categories.map((slug) => [`category-${slug}`, "yes"])),
    ...Object.fromEntries(brands.map((slug) => [`brand-${slug}`, "yes"])),
  };
}
