import { endText, httpUrl, instantText, plainText, validHost } from "@farthing/core/catalogue-imports/field-schema.ts";
import type { FeedCommissionGroup, FeedProgramme, ProgrammeStatus } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";
import { readXmlRecords } from "../xml-records.ts";

/*
 * Rakuten Advertising's own names. Advertisers are JSON, as GET /v2/advertisers answers, with the lists of GET /v1/commissioninglists beside each. Links are
 * the XML of the Coupon feed (GET /coupon/1.0), which has no other format: couponfeed/link, at most 500 a page, with dates in GMT. Fields that Rakuten may
 * add are let through unread.
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
    offerid: z
      .string("must be in clickurl, as in offerid=164317.10002595")
      .regex(/^\d{1,18}(\.\d{1,18})?$/, "must be in clickurl, as in offerid=164317.10002595"),
    advertiserid: rakutenId,
    offerdescription: plainText(200),
    offerstartdate: instantText,
    offerenddate: endText.optional(),
    couponcode: plainText(60, 0).nullish(),
    couponrestriction: plainText(20_000, 0).nullish(),
    murl: httpUrl.optional(),
  })
  .transform((link) => {
    const code = link.couponcode === "N/A" ? "" : (link.couponcode ?? "");
    return {
      networkOfferId: link.offerid,
      networkProgrammeId: link.advertiserid,
      kind: code === "" ? ("deal" as const) : ("code" as const),
      title: link.offerdescription,
      description: "",
      terms: link.couponrestriction ?? "",
      landingUrl: link.murl ?? null,
      startsAt: link.offerstartdate,
      endsAt: link.offerenddate ?? null,
      code: code === "" ? null : code,
    };
  });

/** Rakuten Advertising's advertisers and coupons. */
export const rakutenFeed: FeedAdapter = {
  timeZone: "UTC",
  programmes: {
    lists: ["", "advertisers", "data"],
    schema: rakutenProgramme,
    idField: "id",
    fieldNames: { commissionGroups: "commission_lists" },
  },
  promotions: {
    lists: ["link"],
    schema: rakutenPromotion,
    idField: "offerid",
    fieldNames: { networkProgrammeId: "advertiserid", startsAt: "offerstartdate", endsAt: "offerenddate" },
    read: (chunks) =>
      readXmlRecords(chunks, {
        root: "couponfeed",
        depth: 1,
        record: "link",
        toRecord: (link) => ({ ...link, ...inClickUrl(link["clickurl"]) }),
      }),
  },
};

/** A coupon has neither an id nor a page of its own: both are parameters of its tracking link, the page (`murl`) not always. */
function inClickUrl(clickUrl: unknown): { offerid: string; murl?: string } {
  const parameters = typeof clickUrl === "string" ? URL.parse(clickUrl)?.searchParams : undefined;
  const murl = parameters?.get("murl") ?? "";
  return { offerid: parameters?.get("offerid") ?? "", ...(murl === "" ? {} : { murl }) };
}

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
