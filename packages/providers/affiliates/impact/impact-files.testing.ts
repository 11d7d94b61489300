/** Answers and records in Impact's shape, valid in every field; pass what should be different. */

export const impactCredentials = {
  accountSid: "IRtest",
  authToken: "secret-impact-token",
  apiUrl: "https://api.impact.test",
};

/** What the items of reversed actions say, by the action's order: the list of actions itself does not say why. */
const ITEM_REASONS: Readonly<Record<string, string>> = {
  returned: "ITEM_RETURNED",
  test: "TEST_ACTION",
  "unheard of": "BRAND_NEW_REASON",
};

export const impactAnswers = {
  /** A page of a list. */
  list(key: string, rows: readonly unknown[], { pages = 1, total }: { pages?: number; total?: number } = {}): Response {
    return Response.json({
      "@page": "1",
      "@numpages": String(pages),
      "@pagesize": "10000",
      ...(total === undefined ? {} : { "@total": String(total) }),
      [key]: rows,
    });
  },
  /** A page of actions that also answers the question for the items of its reversed ones. */
  actions(rows: readonly unknown[], { hasMore = false }: { hasMore?: boolean } = {}): Response {
    const [first] = rows as { Oid?: string; State?: string }[];
    const reason = first?.State === "REVERSED" ? ITEM_REASONS[first.Oid ?? ""] : undefined;
    return Response.json({
      "@page": "1",
      "@numpages": hasMore ? "10" : "1",
      "@pagesize": "10000",
      Actions: rows,
      ActionItems: [
        {
          Sku: "12345",
          AdjustmentReason: reason ?? "",
          AdjustmentDate: reason === undefined || reason === "BRAND_NEW_REASON" ? "" : "2026-10-02T02:00:00-07:00",
        },
      ],
    });
  },
};

export function campaign(id: number, different: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    AdvertiserId: "1804207",
    AdvertiserName: `Shop ${id} Ltd`,
    CampaignId: String(id),
    CampaignName: `Shop ${id}`,
    CampaignUrl: `https://shop-${id}.example/`,
    CampaignDescription: "Sells things.",
    ContractStatus: "Active",
    TrackingLink: `https://shop${id}.sjv.example/c/1924609/650971/${id}`,
    AllowsDeeplinking: "true",
    DeeplinkDomains: [`Shop-${id}.example`],
    Currency: "GBP",
    PayoutTerms: [
      { TrackerId: "2240", TrackerName: "Sale", PayoutType: "PERCENTAGE", PayoutPercentage: "7.5", PayoutAmount: "" },
      { TrackerId: "2241", TrackerName: "Quote", PayoutType: "FIXED", PayoutAmount: "12.50", PayoutCurrency: "GBP" },
    ],
    ...different,
  };
}

export function deal(id: number, campaignId: number, different: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    Id: String(id),
    CampaignId: String(campaignId),
    Name: `10% off order ${id}`,
    Description: "Ten per cent less.",
    State: "ACTIVE",
    Type: "GENERAL_SALE",
    DiscountType: "PERCENT",
    DiscountPercent: "10",
    DefaultPromoCode: `CODE${id}`,
    MinimumPurchaseAmount: "40.00",
    MinimumPurchaseAmountCurrency: "GBP",
    StartDate: "2026-01-01T00:00:00-08:00",
    EndDate: "2099-01-31T23:59:59-08:00",
    LandingPage: `https://shop-${campaignId}.example/offer`,
    ...different,
  };
}
