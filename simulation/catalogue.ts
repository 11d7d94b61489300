import { shops } from "./shops.ts";

/** Returns the shops as the sandbox's catalogue has them. */
export function programmesFile(): unknown[] {
  return shops.map(({ advertiserId, name, slug, currency, commission, groupId }) => ({
    id: advertiserId,
    name,
    displayUrl: `https://www.${slug}.example/`,
    currencyCode: currency,
    primaryRegion: { name: "United Kingdom", countryCode: "GB" },
    validDomains: [{ domain: `${slug}.example` }],
    primarySector: "Gifts",
    status: "joined",
    commissionGroups: [
      {
        groupId,
        groupCode: "DEFAULT",
        groupName: "Everything",
        ...("pence" in commission
          ? { type: "fix", amount: commission.pence / 100, currency }
          : { type: "percentage", percentage: commission.bp / 100 }),
      },
    ],
  }));
}
