import type {
  FeedCommissionGroup,
  FeedProgramme,
  FeedPromotion,
  ProgrammeStatus,
} from "@farthing/core/catalogue-imports/feed.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { awinProgramme, awinPromotion, type AwinProgramme, type AwinPromotion } from "./awin-feed-schema.ts";
import { awinPromotionsCsv } from "./awin-promotions-csv.ts";

/** Awin's programmes and promotions, as JSON; promotions also from the CSV export (docs/catalogue-import.md). */
export const awinFeed: FeedAdapter = {
  timeZone: "Europe/London",
  programmes: {
    lists: ["", "programmes", "data"],
    schema: awinProgramme.transform(toFeedProgramme),
    idField: "id",
    fieldNames: { commissionGroups: "commissionGroups" },
  },
  promotions: {
    lists: ["", "data", "promotions"],
    schema: awinPromotion.transform(toFeedPromotion),
    idField: "promotionId",
    fieldNames: { networkProgrammeId: "advertiser.id", startsAt: "startDate", endsAt: "endDate" },
    csv: awinPromotionsCsv,
  },
};

function toFeedProgramme(programme: AwinProgramme): FeedProgramme {
  return {
    networkProgrammeId: programme.id,
    name: programme.name,
    landingUrl: programme.displayUrl,
    currency: programme.currencyCode,
    status: programmeStatus(programme.status),
    description: programme.description,
    validDomains: programme.validDomains.map(({ domain }) => domain.toLowerCase()),
    commissionGroups: programme.commissionGroups?.map(toFeedGroup) ?? null,
  };
}

function toFeedGroup(group: NonNullable<AwinProgramme["commissionGroups"]>[number]): FeedCommissionGroup {
  const { groupId, groupName: label } = group;
  return group.type === "percentage"
    ? { groupId, label, kind: "percent", rateBp: parseMinorUnits(group.percentage) }
    : {
        groupId,
        label,
        kind: "fixed",
        amountMinor: parseMinorUnits(group.amount, group.currency),
        currency: group.currency,
      };
}

/** Awin writes the relationship as "joined", "Active", "notjoined", "Suspended" and the like. */
function programmeStatus(status: string): ProgrammeStatus {
  const word = status.toLowerCase().replace(/[^a-z]/g, "");
  if (word === "joined" || word === "active") return "joined";
  if (word === "suspended" || word === "paused") return "suspended";
  if (word === "closed" || word === "left" || word === "rejected") return "closed";
  return "not_joined";
}

function toFeedPromotion(promotion: AwinPromotion): FeedPromotion {
  const isVoucher = promotion.type === "voucher";
  const code = promotion.voucher?.code ?? "";
  return {
    networkOfferId: promotion.promotionId,
    networkProgrammeId: promotion.advertiser.id,
    kind: isVoucher ? "code" : "deal",
    title: promotion.title,
    description: promotion.description,
    terms: promotion.terms,
    landingUrl: promotion.url,
    startsAt: promotion.startDate,
    endsAt: promotion.endDate,
    code: isVoucher && code !== "" ? code : null,
  };
}
