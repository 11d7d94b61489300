import { httpUrl, instantText, plainText, validHost } from "@farthing/core/catalogue-imports/field-schema.ts";
import type { FeedCommissionGroup, FeedProgramme, ProgrammeStatus } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";

/**
 * Rakuten Advertising's own names: advertisers of GET /v2/advertisers with the lists of GET /v1/commissioninglists beside each, and links of the Coupon feed
 * (/coupon/1.0), whose XML is converted to JSON one object per element before an import. Fields that Rakuten may add are let through unread.
 */
const rakutenId = z
  .union([z.int().positive(), z.string().regex(/^\d{1,18}$/, "must be a whole number, as Rakuten gives it")])
  .transform(String);

const commissionList = z.object({
  id: rakutenId,
  name: plainText(200),
  type: z.enum(["percentage", "flat"], 'must be "percentage" or "flat"'),
  value: z.number("must be a number such as 7.5").min(0, "must not be negative").max(100_000, "must be at most 100000"),
});

const rakutenProgramme = z
  .object({
    id: rakutenId,
    name: plainText(80),
    url: httpUrl,
    description: plainText(20_000, 0).nullish(),
    status: z.string().default("active"),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as GBP")
      .default("GBP"),
    domains: z.array(validHost).default([]),
    commission_lists: z.array(commissionList).max(200).optional(),
  })
  .transform((programme): FeedProgramme => ({
    networkProgrammeId: programme.id,
    name: programme.name,
    landingUrl: programme.url,
    currency: programme.currency,
    status: statusOf(programme.status),
    description: programme.description ?? "",
    validDomains: programme.domains.map((domain) => domain.toLowerCase()),
    commissionGroups: programme.commission_lists?.map((list) => groupOf(list, programme.currency)) ?? null,
  }));

const rakutenPromotion = z
  .object({
    linkid: rakutenId,
    advertiserid: rakutenId,
    offerdescription: plainText(200),
    offerstartdate: instantText,
    offerenddate: instantText.nullish(),
    couponcode: plainText(60, 0).nullish(),
    couponrestriction: plainText(20_000, 0).nullish(),
    landingurl: httpUrl,
  })
  .transform((link) => {
    const code = link.couponcode ?? "";
    return {
      networkOfferId: link.linkid,
      networkProgrammeId: link.advertiserid,
      kind: code === "" ? ("deal" as const) : ("code" as const),
      title: link.offerdescription,
      description: "",
      terms: link.couponrestriction ?? "",
      landingUrl: link.landingurl,
      startsAt: link.offerstartdate,
      endsAt: link.offerenddate ?? null,
      code: code === "" ? null : code,
    };
  });

/** Rakuten Advertising's advertisers and coupons. */
export const rakutenFeed: FeedAdapter = {
  timeZone: "America/New_York",
  programmes: {
    lists: ["", "advertisers", "data"],
    schema: rakutenProgramme,
    idField: "id",
    fieldNames: { commissionGroups: "commission_lists" },
  },
  promotions: {
    lists: ["", "links", "couponfeed"],
    schema: rakutenPromotion,
    idField: "linkid",
    fieldNames: { networkProgrammeId: "advertiserid", startsAt: "offerstartdate", endsAt: "offerenddate" },
  },
};

function statusOf(status: string): ProgrammeStatus {
  if (/^(active|approved|joined)$/i.test(status)) return "joined";
  if (/^(paused|suspended|temp.*)$/i.test(status)) return "suspended";
  return /^(closed|removed|declined|discontinued.*)$/i.test(status) ? "closed" : "not_joined";
}

function groupOf({ id, name, type, value }: z.output<typeof commissionList>, currency: string): FeedCommissionGroup {
  return type === "percentage"
    ? { groupId: id, label: name, kind: "percent", rateBp: parseMinorUnits(value) }
    : { groupId: id, label: name, kind: "fixed", amountMinor: parseMinorUnits(value, currency), currency };
}
