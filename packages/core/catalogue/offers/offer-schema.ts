import { z } from "zod";
import { httpUrl, plainText } from "../../catalogue-imports/field-schema.ts";
import { misleadingClaim } from "../../catalogue-imports/misleading-claim.ts";
import { offerKinds } from "../catalogue-view.ts";
import { fromLondon } from "../london-time.ts";

/** A field for date and time, in London's time. */
const moment = z.string().transform((text, context): Date => {
  const read = fromLondon(text);
  if (read) return read;
  context.addIssue({ code: "custom", message: "must be a date and time of London, such as 30/11/2026 23:59" });
  return z.NEVER;
});

const MAX_VARIANTS = 50;

const variant = z.object({ label: plainText(80), landingUrl: httpUrl.nullable() });
export type OfferVariantForm = z.infer<typeof variant>;

const fields = z.object({
  kind: z.enum(offerKinds, "Choose a kind."),
  title: plainText(200),
  headline: plainText(40, 0),
  description: plainText(10_000, 0),
  terms: plainText(10_000, 0),
  exclusions: plainText(5_000, 0),
  landingUrl: httpUrl,
  /** The code that every member gets; null without one. Pools have a page of their own. */
  code: plainText(60, 0).transform((code) => code || null),
  adultsOnly: z.boolean(),
  startsAt: moment,
  endsAt: moment.nullable(),
  popularity: z
    .string()
    .regex(/^\d{1,7}$/, "must be a whole number from 0 to 1000000")
    .transform(Number)
    .pipe(z.number().max(1_000_000, "must be at most 1000000")),
  /** Slugs. */
  categories: z.array(z.string()),
  /** Slugs of the only brands that show it; none: every brand of its retailer. */
  brands: z.array(z.string()),
  variants: z.array(variant).max(MAX_VARIANTS, `can be at most ${MAX_VARIANTS}`),
});

/** An offer as operators type it: the fields of the form, which are text, become values (A2). */
export const offerSchema = z.record(z.string(), z.string()).transform((typed, context): OfferForm => {
  const add = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  const texts = fieldsOf(typed);
  const parsed = fields.safeParse(texts);
  for (const { path, message } of parsed.error?.issues ?? []) add(path, message);
  // What is wrong between fields is named too, as far as each can be read: all faults at once.
  const { startsAt, endsAt, variants = [], ...rest } = parsed.data ?? readableOf(texts);
  if (startsAt && endsAt && endsAt <= startsAt) add(["endsAt"], "must be after the start");
  const labels = variants.map(({ label }) => label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) add(["variants"], `have the label “${twice}” twice; rename one of the two`);
  const { title = "", headline = "", description = "", terms = "" } = rest;
  const claim = misleadingClaim([title, headline, description, terms]);
  if (claim) add(["title"], claim);
  return parsed.data ?? z.NEVER;
});
export type OfferForm = z.infer<typeof fields>;

/** Returns the fields that can be read, of which others can't. */
function readableOf(texts: Readonly<Record<string, unknown>>): Partial<OfferForm> {
  const read = Object.entries(fields.shape).map(([name, schema]) => [name, schema.safeParse(texts[name]).data]);
  return Object.fromEntries(read) as Partial<OfferForm>;
}

type Typed = Readonly<Record<string, string>>;

function fieldsOf(typed: Typed) {
  const text = (name: string) => (typed[name] ?? "").replaceAll("\r\n", "\n");
  const endsAt = text("endsAt").trim();
  return {
    ...{ kind: text("kind"), title: text("title"), headline: text("headline"), description: text("description") },
    ...{ terms: text("terms"), exclusions: text("exclusions"), landingUrl: text("landingUrl").trim() },
    ...{ code: text("code"), startsAt: text("startsAt"), popularity: text("popularity").trim() || "0" },
    endsAt: endsAt === "" ? null : endsAt,
    adultsOnly: typed["adultsOnly"] === "yes",
    categories: chosen(typed, "category-"),
    brands: chosen(typed, "brand-"),
    variants: text("variants")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [label = "", url = ""] = line.split(" | ", 2);
        return { label, landingUrl: url.trim() || null };
      }),
  };
}

/** Boxes are fields of their own, `category-<slug>`: a form that came too late keeps them like any other. */
function chosen(typed: Typed, prefix: string): string[] {
  return Object.keys(typed)
    .filter((name) => name.startsWith(prefix) && typed[name] === "yes")
    .map((name) => name.slice(prefix.length))
    .toSorted();
}
