import { endText, httpUrl, instantText, plainText, validHost } from "@farthing/core/catalogue-imports/field-schema.ts";
import { z } from "zod";

/**
 * Awin's own field names, as its publisher API answers them (C2): GET /publishers/{id}/programmes with the groups of /commissiongroups beside
 * each programme, and POST /publisher/{id}/promotions. Fields that Awin may add are let through unread.
 */

const awinId = z
  .union([z.number().int().positive(), z.string().regex(/^\d{1,18}$/, "must be a whole number, as Awin gives it")])
  .transform(String);

const currencyCode = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as GBP");

const commissionGroup = z.discriminatedUnion(
  "type",
  [
    z.object({
      type: z.literal("percentage"),
      groupId: awinId,
      groupCode: plainText(100).optional(),
      groupName: plainText(200),
      percentage: z
        .number("must be a number such as 7.5")
        .min(0, "must not be negative")
        .max(100, "must be at most 100"),
    }),
    z.object({
      type: z.literal("fix"),
      groupId: awinId,
      groupCode: plainText(100).optional(),
      groupName: plainText(200),
      amount: z
        .number("must be a number such as 25.5")
        .min(0, "must not be negative")
        .max(100_000, "must be at most 100000"),
      currency: currencyCode,
    }),
  ],
  'must be "percentage" or "fix"',
);

/** One programme. `status` is the publisher's relationship to it, in any spelling Awin uses. */
export const awinProgramme = z.object({
  id: awinId,
  name: plainText(80),
  displayUrl: httpUrl,
  clickThroughUrl: httpUrl.optional(),
  logoUrl: z.string().optional(),
  currencyCode,
  primaryRegion: z.object({ name: z.string(), countryCode: z.string() }).optional(),
  primarySector: z.string().optional(),
  status: z.string().default("joined"),
  description: plainText(20_000, 0).default(""),
  validDomains: z.array(z.object({ domain: validHost })).default([]),
  commissionGroups: z.array(commissionGroup).max(200).optional(),
});
export type AwinProgramme = z.infer<typeof awinProgramme>;

/** One promotion. Awin accepts titles of up to 300 characters; ours end at 200, so that a card can show them. */
export const awinPromotion = z.object({
  promotionId: awinId,
  type: z.enum(["promotion", "voucher"], 'must be "promotion" or "voucher"'),
  advertiser: z.object({ id: awinId, name: z.string().optional(), joined: z.boolean().optional() }),
  title: plainText(200),
  description: plainText(20_000, 0)
    .nullish()
    .transform((text) => text ?? ""),
  terms: plainText(20_000, 0)
    .nullish()
    .transform((text) => text ?? ""),
  startDate: instantText,
  endDate: endText.nullish().transform((text) => text ?? null),
  url: httpUrl,
  urlTracking: z.string().nullish(),
  dateAdded: z.string().nullish(),
  campaign: z.string().nullish(),
  voucher: z
    .object({
      code: plainText(60, 0)
        .nullish()
        .transform((text) => text ?? ""),
      exclusive: z.boolean().optional(),
      attributable: z.boolean().optional(),
    })
    .nullish()
    .transform((voucher) => voucher ?? null),
});
export type AwinPromotion = z.infer<typeof awinPromotion>;
