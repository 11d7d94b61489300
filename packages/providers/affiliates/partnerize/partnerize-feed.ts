import { endText, httpUrl, instantText, plainText, validHost } from "@farthing/core/catalogue-imports/field-schema.ts";
import type { FeedProgramme, FeedPromotion } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";

/**
 * Partnerize's own field names: GET /user/publisher/{id}/campaign/a with the campaign's `camref` (from the campaign references) and its deep link domains
 * beside it, and GET /user/publisher/{id}/campaign/{id}/voucher with the page it leads to. Each record is wrapped under its kind. Fields that Partnerize
 * may add are let through unread.
 */
const partnerizeId = z
  .union([z.int().positive().transform(String), z.string()], { error: "must be an id, as Partnerize gives it" })
  .refine((text) => /^[0-9a-z]{1,40}$/.test(text), "must be an id such as 10l176, as Partnerize gives it");

const commission = z.object({
  commission_id: partnerizeId,
  title: plainText(200),
  performance_model: z.enum(["percentage", "fixed_cpa"], 'must be "percentage" or "fixed_cpa"'),
  performance_value: z
    .string("must be text such as 7.5")
    .regex(/^\d{1,6}(\.\d{1,4})?$/, "must be a number such as 7.5"),
  currency: z
    .string("must be text in quotes")
    .regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as GBP")
    .optional(),
});

/** Texts by language; English where there is one, else the first. */
const texts = z
  .union([z.string(), z.record(z.string(), z.string())], { error: "must be text, or texts by language" })
  .nullish()
  .transform((value) => (typeof value === "string" ? value : (value?.["en"] ?? Object.values(value ?? {})[0] ?? "")));

const partnerizeCampaign = z.object({
  campaign: z.object({
    campaign_id: partnerizeId,
    title: plainText(80),
    destination_url: httpUrl,
    camref: z
      .string("must be text in quotes")
      .regex(/^[A-Za-z0-9]{1,40}$/, "must be the camref of your links to this campaign, such as 1011l34"),
    default_currency: z
      .string("must be text in quotes")
      .regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as GBP"),
    default_commission_rate: z
      .union([z.number(), z.string()], { error: "must be a number such as 7.5" })
      .transform(String)
      .refine((text) => /^\d{1,2}(\.\d{1,4})?$|^100$/.test(text), "must be a percentage of at most 100 such as 7.5")
      .nullish(),
    publisher_status: z.string("must be text in quotes").default("a"),
    status: z.string("must be text in quotes").default("a"),
    description: texts.pipe(plainText(20_000, 0)),
    deep_link_domains: z.array(validHost, "must be a list of host names").default([]),
    allow_deep_linking: z.string().optional(),
    commissions: z.array(commission, "must be a list of commissions").max(200).optional(),
  }),
});

const partnerizeVoucher = z.object({
  voucher_code: z.object({
    voucher_code_id: partnerizeId,
    campaign_id: partnerizeId,
    voucher_code: plainText(60, 0)
      .nullish()
      .transform((text) => text || null),
    title: plainText(200),
    description: plainText(20_000, 0)
      .nullish()
      .transform((text) => text ?? ""),
    terms: plainText(20_000, 0)
      .nullish()
      .transform((text) => text ?? ""),
    destination_url: httpUrl,
    start_date_time: instantText,
    end_date_time: endText.nullish().transform((text) => text ?? null),
  }),
});

function toFeedProgramme({ campaign }: z.infer<typeof partnerizeCampaign>): FeedProgramme {
  const { default_currency: currency, default_commission_rate: rate } = campaign;
  return {
    networkProgrammeId: campaign.campaign_id,
    name: campaign.title,
    landingUrl: campaign.destination_url,
    programmeLink: `https://prf.hn/click/camref:${campaign.camref}`,
    currency,
    status: programmeStatus(campaign.publisher_status, campaign.status),
    description: campaign.description,
    validDomains:
      campaign.allow_deep_linking === "n" ? [] : campaign.deep_link_domains.map((host) => host.toLowerCase()),
    commissionGroups:
      campaign.commissions?.map((one) => ({
        groupId: one.commission_id,
        label: one.title,
        ...(one.performance_model === "percentage"
          ? { kind: "percent" as const, rateBp: parseMinorUnits(one.performance_value) }
          : {
              kind: "fixed" as const,
              amountMinor: parseMinorUnits(one.performance_value, one.currency ?? currency),
              currency: one.currency ?? currency,
            }),
      })) ??
      (rate === null || rate === undefined
        ? null
        : [{ groupId: "default", label: "Everything", kind: "percent", rateBp: parseMinorUnits(rate) }]),
  };
}

/** Partnerize's letters: a is active, p pending, r rejected or retired. The campaign's own status counts first. */
function programmeStatus(ours: string, campaigns: string): FeedProgramme["status"] {
  if (campaigns !== "a") return "closed";
  if (ours === "a") return "joined";
  return ours === "r" ? "closed" : "not_joined";
}

function toFeedPromotion({ voucher_code: voucher }: z.infer<typeof partnerizeVoucher>): FeedPromotion {
  return {
    networkOfferId: voucher.voucher_code_id,
    networkProgrammeId: voucher.campaign_id,
    kind: voucher.voucher_code === null ? "deal" : "code",
    title: voucher.title,
    description: voucher.description,
    terms: voucher.terms,
    landingUrl: voucher.destination_url,
    startsAt: voucher.start_date_time,
    endsAt: voucher.end_date_time,
    code: voucher.voucher_code,
  };
}

/** Partnerize's campaigns and voucher codes, as JSON (docs/catalogue-import.md). */
export const partnerizeFeed: FeedAdapter = {
  timeZone: "UTC",
  programmes: {
    lists: ["", "campaigns"],
    schema: partnerizeCampaign.transform(toFeedProgramme),
    idField: "campaign.campaign_id",
    fieldNames: { commissionGroups: "campaign.commissions" },
  },
  promotions: {
    lists: ["", "voucher_codes"],
    schema: partnerizeVoucher.transform(toFeedPromotion),
    idField: "voucher_code.voucher_code_id",
    fieldNames: {
      networkProgrammeId: "voucher_code.campaign_id",
      startsAt: "voucher_code.start_date_time",
      endsAt: "voucher_code.end_date_time",
    },
  },
};
