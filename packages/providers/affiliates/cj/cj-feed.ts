import { httpUrl, instantText, lastMoment, plainText } from "@farthing/core/catalogue-imports/field-schema.ts";
import type { FeedCommissionGroup, ProgrammeStatus } from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";
import { readXmlRecords } from "../xml-records.ts";

/*
 * CJ's element names, from Advertiser Lookup (advertiser-lookup.api.cj.com/v2) and Link Search (link-search.api.cj.com/v2). Both answer XML only, at most
 * 100 records a page: cj-api/advertisers/advertiser and cj-api/links/link. Elements that CJ may add are let through unread.
 */

const cjId = z
  .union([z.int().positive(), z.string().regex(/^\d{1,18}$/, "must be a whole number, as CJ gives it")])
  .transform(String);

/** `7.5%`, or a fixed amount such as `GBP 25.00`. */
const commission = z.string().regex(/^(\d{1,3}(\.\d+)?%|[A-Z]{3} \d{1,6}(\.\d+)?)$/, "must be 7.5% or GBP 25.00");

const cjProgramme = z
  .object({
    "advertiser-id": cjId,
    "advertiser-name": plainText(80),
    "program-url": httpUrl,
    "account-status": z.string().default("Active"),
    "relationship-status": z.string().default("joined"),
    actions: z.preprocess(
      (actions) => (typeof actions === "object" && actions !== null && "action" in actions ? actions.action : actions),
      z
        .array(
          z.object({
            id: cjId,
            name: plainText(200),
            type: z.string().optional(),
            commission: z.object({ default: commission }),
          }),
          "must be a list of <action>",
        )
        .max(200)
        .optional(),
    ),
  })
  .transform((programme) => {
    const groups = programme.actions?.map((action) => groupOf(action.id, action.name, action.commission.default));
    return {
      networkProgrammeId: programme["advertiser-id"],
      name: programme["advertiser-name"],
      landingUrl: programme["program-url"],
      // CJ names a currency only beside an amount, as in "USD 0.50".
      currency: groups?.find((group) => group.kind === "fixed")?.currency ?? "GBP",
      status: statusOf(programme["account-status"], programme["relationship-status"]),
      description: "",
      validDomains: [],
      commissionGroups: groups ?? null,
    };
  });

const AMERICAN_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?= |$)/;

/** A date and time in ISO's order, or in America's, as in the parameters of a search: `11/30/2026`, with or without a time after it. */
const cjInstant = z
  .string("must be a date such as 11/30/2026 or 2026-11-30")
  .transform((text) =>
    text.replace(AMERICAN_DAY, (_, month: string, day: string, year: string) =>
      [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
    ),
  )
  .refine((text) => instantText.safeParse(text).success, {
    error: "must be a real date such as 11/30/2026 (the month first) or 2026-11-30 23:59:00.0",
  });

const cjPromotion = z
  .object({
    "link-id": cjId,
    "advertiser-id": cjId,
    "link-name": plainText(200),
    description: plainText(20_000, 0)
      .nullish()
      .transform((text) => text ?? ""),
    destination: httpUrl,
    "promotion-type": z.string().nullish(),
    "promotion-start-date": cjInstant,
    /** CJ writes `ongoing` where a promotion has no end. */
    "promotion-end-date": z
      .literal("ongoing")
      .transform(() => null)
      .or(cjInstant.transform(lastMoment))
      .nullish(),
    "coupon-code": plainText(60, 0).nullish(),
  })
  .transform((link) => {
    const code = named(link["coupon-code"]);
    return {
      networkOfferId: link["link-id"],
      networkProgrammeId: link["advertiser-id"],
      kind: code === "" ? ("deal" as const) : ("code" as const),
      title: link["link-name"],
      description: link.description,
      terms: "",
      landingUrl: link.destination,
      startsAt: link["promotion-start-date"],
      endsAt: link["promotion-end-date"] ?? null,
      code: code === "" ? null : code,
    };
  });

const document = { root: "cj-api", depth: 2, errorElement: "error-message" } as const;

/** CJ's advertisers and links. */
export const cjFeed: FeedAdapter = {
  timeZone: "America/Los_Angeles",
  programmes: {
    lists: ["advertisers"],
    schema: cjProgramme,
    idField: "advertiser-id",
    fieldNames: { commissionGroups: "actions" },
    read: (chunks) => readXmlRecords(chunks, { ...document, repeated: ["action"] }),
  },
  promotions: {
    lists: ["links"],
    schema: cjPromotion,
    idField: "link-id",
    fieldNames: {
      networkProgrammeId: "advertiser-id",
      startsAt: "promotion-start-date",
      endsAt: "promotion-end-date",
    },
    read: (chunks) => readXmlRecords(chunks, { ...document, toRecord: (link) => (isPromotion(link) ? link : null) }),
  },
};

/** A search without a promotion type also returns plain links: no promotion, no date and no code. */
function isPromotion(link: Readonly<Record<string, unknown>>): boolean {
  return ["promotion-type", "promotion-start-date", "coupon-code"].some((name) => named(link[name]) !== "");
}

/** Returns the text, or the empty string where CJ has none and writes `N/A`. */
function named(text: unknown): string {
  if (text === undefined || text === null || text === "N/A") return "";
  return typeof text === "string" ? text : "?";
}

function statusOf(account: string, relationship: string): ProgrammeStatus {
  if (/^(deactive|deactivated|closed|inactive)$/i.test(account)) return "closed";
  if (/^(suspended|paused)$/i.test(account)) return "suspended";
  return /^(joined|active)$/i.test(relationship) ? "joined" : "not_joined";
}

function groupOf(groupId: string, label: string, text: string): FeedCommissionGroup {
  if (text.endsWith("%")) return { groupId, label, kind: "percent", rateBp: parseMinorUnits(text.slice(0, -1)) };
  const currency = text.slice(0, 3);
  return { groupId, label, kind: "fixed", amountMinor: parseMinorUnits(text.slice(4), currency), currency };
}
