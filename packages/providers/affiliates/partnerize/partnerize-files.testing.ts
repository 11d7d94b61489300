/** Answers and records in Partnerize's shape, valid in every field; pass what should be different. */

export const partnerizeCredentials = {
  publisherId: "111111l92",
  applicationKey: "secret-application-key",
  userApiKey: "secret-user-key",
  apiUrl: "https://api.partnerize.test",
  clickUrl: "https://prf.test",
};

/** A page of the conversion report. The cursor is the next page's; without it the page is the last. */
export function report(
  rows: readonly unknown[],
  { cursor, count }: { cursor?: string | undefined; count?: number } = {},
): Response {
  const path = "/reporting/report_publisher/publisher/111111l92/conversion.json?limit=300";
  return Response.json({
    total_conversion_count: { GBP: rows.length },
    limit: 300,
    execution_time: "1.04266 seconds",
    ...(count === undefined ? {} : { count }),
    conversions: rows,
    hypermedia: {
      pagination: { first_page: path, next_page: cursor === undefined ? null : `${path}&cursor_id=${cursor}` },
    },
  });
}

export function campaign(id: string, different: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    campaign: {
      advertiser_id: "10l110",
      campaign_id: id,
      title: `Shop ${id}`,
      destination_url: `https://shop-${id}.example/`,
      camref: `1011${id}`,
      default_currency: "GBP",
      default_commission_rate: "5",
      publisher_status: "a",
      status: "a",
      description: { en: "Sells things.", de: "Verkauft etwas." },
      allow_deep_linking: "y",
      deep_link_domains: [`Shop-${id}.example`],
      commissions: [
        { commission_id: "1", title: "Everything", performance_model: "percentage", performance_value: "7.5" },
        { commission_id: "2", title: "Quotes", performance_model: "fixed_cpa", performance_value: "12.50" },
      ],
      reporting_timezone: "Australia/Sydney",
      ...different,
    },
  };
}

export function voucher(
  id: string,
  campaignId: string,
  different: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    voucher_code: {
      voucher_code_id: id,
      campaign_id: campaignId,
      active: "y",
      voucher_code: `CODE${id}`,
      title: `10% off order ${id}`,
      description: "Ten per cent less.",
      terms: "One use.",
      destination_url: `https://shop-${campaignId}.example/offer`,
      start_date_time: "2026-01-01 00:00:00",
      end_date_time: "2099-01-31 23:59:59",
      ...different,
    },
  };
}
