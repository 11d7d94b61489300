import { endText, httpUrl, instantText, plainText, validHost } from "@farthing/core/catalogue-imports/field-schema.ts";
import type { FeedProgramme, FeedPromotion } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";
import { isImpactLink } from "./impact-link.ts";

/**
 * Impact's own field names, as its partner API (version 16) answers them: GET /Campaigns with the payout terms of …/Contracts/Active beside each
 * programme, and GET /Campaigns/{id}/Deals with the programme's `CampaignUrl` where the deal has no page of its own. Fields that Impact may add are let
 * through unread.
 */
const impactId = z
  .union([z.int().positive().transform(String), z.string()], { error: "must be an id, as Impact gives it" })
  .refine((text) => /^\d{1,20}$/.test(text), "must be an id in digits, as Impact gives it");

/** A decimal as Impact writes it: text; a number is accepted. Empty text is null. */
const decimalText = z
  .union([z.number(), z.string()], { error: "must be a number such as 7.5" })
  .transform((value) => String(value).trim())
  .refine((text) => /^(\d{1,9}(\.\d{1,9})?)?$/.test(text), "must be a number such as 7.5")
  .transform((text) => text || null);

const currency = z
  .string("must be text in quotes")
  .regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as GBP");

const payoutTerm = z
  .object({
    TrackerId: impactId,
    TrackerName: plainText(200),
    PayoutType: z.enum(["PERCENTAGE", "FIXED"], 'must be "PERCENTAGE" or "FIXED"'),
    PayoutPercentage: decimalText.nullish(),
    PayoutAmount: decimalText.nullish(),
    PayoutCurrency: currency.optional(),
  })
  .refine((term) => term.PayoutType !== "PERCENTAGE" || isPercentage(term.PayoutPercentage), {
    path: ["PayoutPercentage"],
    message: "must be a percentage of at most 100 such as 7.5",
  })
  .refine((term) => term.PayoutType !== "FIXED" || typeof term.PayoutAmount === "string", {
    path: ["PayoutAmount"],
    message: "must be an amount such as 12.50",
  });

function isPercentage(text: string | null | undefined): boolean {
  return typeof text === "string" && Number(text) <= 100;
}

const impactProgramme = z
  .object({
    CampaignId: impactId,
    CampaignName: plainText(80),
    CampaignUrl: httpUrl,
    CampaignDescription: plainText(20_000, 0)
      .nullish()
      .transform((text) => text ?? ""),
    ContractStatus: z.string("must be text in quotes").default("Active"),
    TrackingLink: httpUrl,
    AllowsDeeplinking: z.union([z.boolean(), z.string()], { error: "must be true or false" }).optional(),
    DeeplinkDomains: z.array(validHost, "must be a list of host names").default([]),
    Currency: currency.default("GBP"),
    PayoutTerms: z.array(payoutTerm, "must be a list of payout terms").max(200).optional(),
  })
  .refine((programme) => isImpactLink(programme.TrackingLink, programme.CampaignId), {
    path: ["TrackingLink"],
    message: "must be the programme's own link, /c/{partner}/{ad}/{campaign}, on its tracking domain",
  });

const impactDeal = z.object({
  Id: impactId,
  CampaignId: impactId,
  Name: plainText(200),
  Description: plainText(20_000, 0)
    .nullish()
    .transform((text) => text ?? ""),
  DefaultPromoCode: plainText(60, 0)
    .nullish()
    .transform((text) => text || null),
  StartDate: instantText,
  EndDate: z
    .union([z.literal(""), endText], { error: "must be a date and time such as 2026-11-30T23:59:00+00:00" })
    .nullish()
    .transform((text) => text || null),
  LandingPage: httpUrl,
  MinimumPurchaseAmount: decimalText.nullish(),
  MinimumPurchaseAmountCurrency: z.string().optional(),
});

function toFeedProgramme(programme: z.infer<typeof impactProgramme>): FeedProgramme {
  return {
    networkProgrammeId: programme.CampaignId,
    name: programme.CampaignName,
    landingUrl: programme.CampaignUrl,
    programmeLink: programme.TrackingLink,
    currency: programme.Currency,
    status: /^active$/i.test(programme.ContractStatus)
      ? "joined"
      : /^expired$/i.test(programme.ContractStatus)
        ? "closed"
        : "not_joined",
    description: programme.CampaignDescription,
    validDomains: /^false$/i.test(String(programme.AllowsDeeplinking ?? ""))
      ? []
      : programme.DeeplinkDomains.map((host) => host.toLowerCase().replace(/^\*\./, "")),
    commissionGroups:
      programme.PayoutTerms?.map((term) =>
        term.PayoutType === "PERCENTAGE"
          ? {
              groupId: term.TrackerId,
              label: term.TrackerName,
              kind: "percent" as const,
              rateBp: parseMinorUnits(term.PayoutPercentage!),
            }
          : {
              groupId: term.TrackerId,
              label: term.TrackerName,
              kind: "fixed" as const,
              amountMinor: parseMinorUnits(term.PayoutAmount!, term.PayoutCurrency ?? programme.Currency),
              currency: term.PayoutCurrency ?? programme.Currency,
            },
      ) ?? null,
  };
}

function toFeedPromotion(deal: z.infer<typeof impactDeal>): FeedPromotion {
  const minimum = deal.MinimumPurchaseAmount ?? null;
  return {
    networkOfferId: deal.Id,
    networkProgrammeId: deal.CampaignId,
    kind: deal.DefaultPromoCode === null ? "deal" : "code",
    title: deal.Name,
    description: deal.Description,
    terms:
      minimum === null ? "" : `Minimum purchase: ${minimum} ${deal.MinimumPurchaseAmountCurrency ?? ""}`.trim() + ".",
    landingUrl: deal.LandingPage,
    startsAt: deal.StartDate,
    endsAt: deal.EndDate,
    code: deal.DefaultPromoCode,
  };
}

/** Impact's programmes and deals, as JSON (docs/catalogue-import.md). Impact writes every date with its offset. */
export const impactFeed: FeedAdapter = {
  timeZone: "UTC",
  programmes: {
    lists: ["", "Campaigns"],
    schema: impactProgramme.transform(toFeedProgramme),
    idField: "CampaignId",
    fieldNames: { commissionGroups: "PayoutTerms" },
  },
  promotions: {
    lists: ["", "Deals"],
    schema: impactDeal.transform(toFeedPromotion),
    idField: "Id",
    fieldNames: { networkProgrammeId: "CampaignId", startsAt: "StartDate", endsAt: "EndDate" },
  },
};
