import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Programme, Promotion } from "../catalogue/catalogue.ts";

const programme = (
  id: number,
  name: string,
  domain: string,
  primarySector: string,
  groups: Programme["commissionGroups"],
  more: Partial<Programme> = {},
): Programme => ({
  id,
  name,
  displayUrl: `https://www.${domain}/`,
  clickThroughUrl: `https://www.${domain}/welcome`,
  currencyCode: "GBP",
  primaryRegion: { name: "United Kingdom", countryCode: "GB" },
  validDomains: [{ domain }],
  primarySector,
  status: "active",
  ...(groups ? { commissionGroups: groups } : {}),
  ...more,
});

/** Advertisers for the sandbox's own tests. */
export const sampleProgrammes: readonly Programme[] = [
  programme(5001, "Fernhollow Boots", "fernhollow-boots.example", "Shoes & bags", [
    { groupId: 11, groupCode: "DEFAULT", groupName: "Default Commission", type: "percentage", percentage: 6 },
    { groupId: 12, groupCode: "BAGS", groupName: "Bags and satchels", type: "percentage", percentage: 9.5 },
  ]),
  programme(5002, "Bluebottle Broadband", "bluebottle.example", "Mobile & broadband", [
    { groupId: 21, groupCode: "FIBRE", groupName: "Fibre contract", type: "fix", amount: 45, currency: "GBP" },
  ]),
  programme(5003, "Otterly & Pike", "otterly-and-pike.example", "Kids & baby", [
    { groupId: 31, groupCode: "NEW", groupName: "New customers", type: "percentage", percentage: 8 },
    { groupId: 32, groupCode: "EXISTING", groupName: "Existing customers", type: "percentage", percentage: 3 },
  ]),
  programme(
    5004,
    "Sorrel & Dune",
    "sorrel-and-dune.example",
    "Women's fashion",
    [{ groupId: 41, groupCode: "DEFAULT", groupName: "Default Commission", type: "percentage", percentage: 5 }],
    { currencyCode: "EUR", clickThroughUrl: "https://www.awin1.com/awclick.php?mid=5004&id=100001" },
  ),
  programme(5005, "Tarnside Optics", "tarnside-optics.example", "Glasses & hearing", undefined, { status: "closed" }),
];

const voucher = (
  promotionId: number,
  advertiserId: number,
  code: string,
  title: string,
  startDate: string,
  endDate: string,
): Promotion => ({
  promotionId,
  type: "voucher",
  advertiser: { id: advertiserId, name: "", joined: true },
  title,
  startDate,
  endDate,
  regions: { all: true },
  voucher: { code, exclusive: false, attributable: true },
});

export const samplePromotions: readonly Promotion[] = [
  voucher(1, 5001, "FERN15", "15% off everything", "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"),
  voucher(2, 5001, "TENOFF", "£10 off when you spend £50", "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"),
  voucher(3, 5001, "OLDBOOT", "20% off last year", "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"),
  voucher(4, 5003, "LATER", "5% off next century", "2098-01-01T00:00:00Z", "2099-01-01T00:00:00Z"),
  {
    promotionId: 6,
    type: "voucher",
    advertiser: { id: 5003, name: "Otterly & Pike", joined: true },
    title: "20% off with a code of your own",
    startDate: "2020-01-01T00:00:00Z",
    endDate: "2099-01-01T00:00:00Z",
    voucher: { code: "", exclusive: true, attributable: true },
  },
  {
    promotionId: 5,
    type: "promotion",
    advertiser: { id: 5003, name: "Otterly & Pike", joined: true },
    title: "Free delivery",
    startDate: "2020-01-01T00:00:00Z",
    endDate: "2099-01-01T00:00:00Z",
    regions: { all: true },
  },
];

/** Writes the two files of a catalogue folder. */
export function writeSampleCatalogue(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "awin-programmes.json"), JSON.stringify(sampleProgrammes));
  writeFileSync(
    join(folder, "awin-promotions.json"),
    JSON.stringify({ data: samplePromotions, pagination: { page: 1, pageSize: 100, total: samplePromotions.length } }),
  );
}
