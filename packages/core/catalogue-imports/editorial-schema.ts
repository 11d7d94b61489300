import { z } from "zod";
import { endText, httpUrl, instantText, plainText, slugText, validHost } from "./field-schema.ts";
import { unprovedSuperlative } from "./misleading-claim.ts";

/**
 * The schema of farthing-retailers.json: the club's own facts about a network's retailers and offers, keyed by the network's ids
 * (docs/catalogue-import.md). Unknown keys are refused, so that a misspelt key is not ignored.
 */

/** The club's own words must claim nothing that it can't prove. */
function provenText(max: number, min = 1) {
  return plainText(max, min).refine((text) => unprovedSuperlative(text) === null, {
    error: (issue) => unprovedSuperlative(String(issue.input)) ?? "claims something without evidence",
  });
}

const networkId = z
  .string("must be text in quotes")
  .regex(/^[A-Za-z0-9_-]{1,40}$/, "must be the network's own id, 1 to 40 letters, digits, - or _");

const days = z
  .strictObject({ min: z.number().int().min(0).max(1000), max: z.number().int().min(0).max(1000) })
  .refine((range) => range.max >= range.min, "max must not be less than min");

const currency = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as GBP");

export const editorialCategory = z.strictObject({
  slug: slugText,
  name: plainText(80),
  body: plainText(10_000, 0),
});
export type EditorialCategory = z.infer<typeof editorialCategory>;

const boost = z
  .strictObject({
    groupId: networkId,
    memberRateBp: z.number().int().min(0).max(10_000).optional(),
    memberRatePence: z.number().int().min(0).max(100_000_00).optional(),
    startsAt: instantText,
    endsAt: endText,
  })
  .refine(
    (value) => (value.memberRateBp === undefined) !== (value.memberRatePence === undefined),
    "give either memberRateBp or memberRatePence",
  );

const otherProgramme = z.strictObject({
  network: slugText,
  networkProgrammeId: networkId,
  name: plainText(80),
  currency,
  landingUrl: httpUrl,
  validDomains: z.array(validHost),
});

const offer = z.strictObject({
  networkOfferId: networkId,
  kind: z.enum(["cashback", "code", "deal", "in_store", "gift_card", "app_exclusive"]).optional(),
  headline: provenText(40).optional(),
  exclusions: plainText(5_000, 0).optional(),
  popularity: z.number().int().min(0).max(1_000_000).optional(),
  adultsOnly: z.boolean().optional(),
  /** Slugs; they replace the retailer's. */
  categories: z.array(slugText).min(1).optional(),
  /** Slugs of the only brands that show this offer. */
  brands: z.array(slugText).min(1).optional(),
  variants: z
    .array(z.strictObject({ label: plainText(80), landingUrl: httpUrl.optional() }))
    .max(50)
    .optional(),
  /** Codes that are each for one member. */
  codePool: z.array(plainText(60)).max(100_000).optional(),
});

export const editorialRetailer = z.strictObject({
  networkProgrammeId: networkId,
  slug: slugText,
  name: plainText(80),
  shortInfo: provenText(400, 0),
  longInfo: provenText(10_000, 0),
  terms: plainText(10_000, 0),
  status: z.enum(["active", "paused", "in_administration", "closed"]),
  acceptsClaims: z.boolean(),
  adultsOnly: z.boolean(),
  tracksWithinDays: days,
  confirmsWithinDays: days,
  confirmsAfter: z.enum(["purchase", "travel", "stay"]),
  popularity: z.number().int().min(0).max(1_000_000),
  /** Slugs, the main category first. */
  categories: z.array(slugText).min(1),
  tiers: z
    .array(
      z.strictObject({
        groupId: networkId,
        basis: plainText(200).optional(),
        capPence: z.number().int().positive().optional(),
      }),
    )
    .default([]),
  boosts: z.array(boost).default([]),
  otherProgrammes: z.array(otherProgramme).default([]),
  brands: z
    .strictObject({ hiddenFrom: z.array(slugText).default([]), featuredOn: z.array(slugText).default([]) })
    .default({ hiddenFrom: [], featuredOn: [] }),
  offers: z.array(offer).default([]),
});
export type EditorialRetailer = z.infer<typeof editorialRetailer>;
export type EditorialOffer = z.infer<typeof offer>;

/** A brand whose choice of retailers the file decides; a brand that it does not name keeps its own. */
export const editorialBrand = slugText;
