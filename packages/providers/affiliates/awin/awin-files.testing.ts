/** Records in Awin's shape, valid in every field; pass what should be different. */

export function programme(id: number, different: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    name: `Shop ${id}`,
    displayUrl: `https://shop-${id}.example/`,
    clickThroughUrl: `https://www.awin1.com/awclick.php?mid=${id}&id=1`,
    currencyCode: "GBP",
    primaryRegion: { name: "United Kingdom", countryCode: "GB" },
    status: "joined",
    description: "Sells things.",
    validDomains: [{ domain: `shop-${id}.example` }],
    commissionGroups: [
      { groupId: id * 10, groupCode: "DEFAULT", groupName: "Everything", type: "percentage", percentage: 7.5 },
    ],
    ...different,
  };
}

export function promotion(
  promotionId: number,
  advertiser: number,
  different: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    promotionId,
    type: "voucher",
    advertiser: { id: advertiser, name: `Shop ${advertiser}`, joined: true },
    title: `10% off order ${promotionId}`,
    description: "Ten per cent less.",
    terms: "One use.",
    startDate: "2026-01-01T00:00:00+00:00",
    endDate: "2099-01-01T00:00:00+00:00",
    url: `https://shop-${advertiser}.example/offer`,
    urlTracking: "https://www.awin1.com/cread.php",
    dateAdded: "2026-01-01T00:00:00+00:00",
    campaign: "",
    regions: { all: true },
    voucher: { code: `CODE${promotionId}`, exclusive: false, attributable: false },
    ...different,
  };
}

/** One record a line, so that record n of a list stands on line n + 2. */
export function programmesFile(...records: unknown[]): string {
  return `[\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n]\n`;
}

export function promotionsFile(...records: unknown[]): string {
  return `{"data": [\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n],\n"pagination": {"page": 1, "pageSize": 200, "total": ${records.length}}}\n`;
}
