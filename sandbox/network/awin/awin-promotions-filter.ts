import type { Promotion } from "../../catalogue/catalogue.ts";

/** The body of POST /publisher/{id}/promotions. Every field is optional. */
export interface PromotionsRequest {
  filters?: {
    advertiserIds?: number[];
    exclusiveOnly?: boolean;
    membership?: "joined" | "notJoined" | "all";
    regionCodes?: string[];
    status?: "active" | "expiringSoon" | "upcoming";
    type?: "promotion" | "voucher" | "all";
    updatedSince?: string;
  };
  pagination?: { page?: number; pageSize?: number };
}

const WEEK_MS = 7 * 86_400_000;
const MAX_PAGE_SIZE = 200;

/** Returns the requested page of promotions in Awin's format. Default status: valid now. */
export function filterPromotions(all: readonly Promotion[], request: PromotionsRequest, now: number) {
  const filters = request.filters ?? {};
  const matching = all.filter((one) => {
    const start = one.startDate ? Date.parse(one.startDate) : 0;
    const end = one.endDate ? Date.parse(one.endDate) : Number.POSITIVE_INFINITY;
    const joined = one.advertiser.joined ?? true;
    return (
      (!filters.advertiserIds?.length || filters.advertiserIds.includes(one.advertiser.id)) &&
      (!filters.exclusiveOnly || one.voucher?.exclusive === true) &&
      (!filters.membership || filters.membership === "all" || (filters.membership === "joined") === joined) &&
      (!filters.regionCodes?.length || inRegions(one, filters.regionCodes)) &&
      (!filters.type || filters.type === "all" || filters.type === one.type) &&
      (!filters.updatedSince || !one.dateAdded || Date.parse(one.dateAdded) >= Date.parse(filters.updatedSince)) &&
      (filters.status === "upcoming" ? start > now : start <= now && end >= now) &&
      (filters.status !== "expiringSoon" || end <= now + WEEK_MS)
    );
  });
  const pageSize = Math.min(Math.max(Math.trunc(request.pagination?.pageSize ?? 100) || 100, 1), MAX_PAGE_SIZE);
  const page = Math.max(Math.trunc(request.pagination?.page ?? 1) || 1, 1);
  return {
    data: matching.slice((page - 1) * pageSize, page * pageSize),
    pagination: { page, pageSize, total: matching.length },
  };
}

function inRegions(promotion: Promotion, codes: readonly string[]): boolean {
  if (promotion.regions?.all !== false && !promotion.regions?.list?.length) return true;
  return promotion.regions?.list?.some((region) => region.countryCode && codes.includes(region.countryCode)) ?? false;
}
