import { decimalPounds, pence } from "@farthing/core/money/money.ts";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { demoBrands } from "./demo-brands.ts";
import { demoCatalogue, demoCategories } from "./demo-catalogue.ts";
import type { DemoEntry, DemoProgramme, DemoPromotion, DemoScale } from "./demo-entry.ts";
import { RecordFile } from "./record-file.server.ts";
import { xmlElement } from "./xml-element.ts";

/** How a network writes what the demo catalogue has, in the fields that its adapter reads. The sandbox writes the same. */
interface NetworkFormat {
  programmeId(id: number): string;
  offerId(id: number): string;
  /** The text around the records of each file. */
  programmes: readonly [string, string];
  promotions: readonly [string, string];
  /** A record of each: an object in a JSON file, an element in an XML file. */
  programme(programme: DemoProgramme): object | string;
  promotion(promotion: DemoPromotion): object | string;
  /** The files that are XML; the others are JSON. */
  xml?: readonly NetworkFile[];
}

const asTheyAre = { programmeId: String, offerId: String };
const groupsOf = (programme: DemoProgramme) => programme.commissionGroups ?? [];
const hostsOf = (programme: DemoProgramme) => (programme.validDomains ?? []).map(({ domain }) => domain);
const codeOf = (promotion: DemoPromotion) => promotion.voucher?.code ?? "";

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The networks of the demo catalogue, with their formats. */
const FORMATS: Readonly<Record<string, NetworkFormat>> = {
  awin: {
    ...asTheyAre,
    programmes: ["[\n", "\n]\n"],
    promotions: ['{"data": [\n', "\n]}\n"],
    programme: (programme) => programme,
    promotion: (promotion) => promotion,
  },
  cj: {
    ...asTheyAre,
    xml: ["programmes", "promotions"],
    programmes: [`${XML_DECLARATION}<cj-api>\n<advertisers>\n`, "\n</advertisers>\n</cj-api>\n"],
    promotions: [`${XML_DECLARATION}<cj-api>\n<links>\n`, "\n</links>\n</cj-api>\n"],
    programme: (programme) =>
      xmlElement("advertiser", [
        xmlElement("advertiser-id", String(programme.id)),
        xmlElement("account-status", "Active"),
        xmlElement("advertiser-name", programme.name),
        xmlElement("program-url", programme.displayUrl),
        xmlElement("relationship-status", "joined"),
        xmlElement(
          "actions",
          groupsOf(programme).map((group) =>
            xmlElement("action", [
              xmlElement("name", group.groupName),
              xmlElement("type", "advanced sale"),
              xmlElement("id", String(group.groupId)),
              xmlElement("commission", [
                xmlElement(
                  "default",
                  group.type === "percentage"
                    ? `${twoDecimals(group.percentage)}%`
                    : `${group.currency} ${twoDecimals(group.amount)}`,
                ),
              ]),
            ]),
          ),
        ),
      ]),
    promotion: (promotion) =>
      xmlElement("link", [
        xmlElement("advertiser-id", String(promotion.advertiser.id)),
        xmlElement("destination", promotion.url),
        xmlElement("link-id", String(promotion.promotionId)),
        xmlElement("link-name", promotion.title),
        xmlElement("description", promotion.description ?? ""),
        xmlElement("link-type", "Text Link"),
        xmlElement("promotion-end-date", promotion.endDate ?? "ongoing"),
        xmlElement("promotion-start-date", promotion.startDate),
        xmlElement("promotion-type", codeOf(promotion) ? "coupon" : "sale/discount"),
        xmlElement("coupon-code", codeOf(promotion)),
        xmlElement("relationship-status", "joined"),
      ]),
  },
  impact: {
    ...asTheyAre,
    programmes: ['{"Campaigns": [\n', "\n]}\n"],
    promotions: ['{"Deals": [\n', "\n]}\n"],
    programme: (programme) => ({
      CampaignId: String(programme.id),
      CampaignName: programme.name,
      CampaignUrl: programme.displayUrl,
      CampaignDescription: programme.description,
      ContractStatus: "Active",
      TrackingLink: `https://shop${programme.id}.sjv.example/c/1924609/650971/${programme.id}`,
      AllowsDeeplinking: "true",
      DeeplinkDomains: hostsOf(programme),
      Currency: programme.currencyCode,
      PayoutTerms: groupsOf(programme).map((group) => ({
        TrackerId: String(group.groupId),
        TrackerName: group.groupName,
        PayoutType: group.type === "percentage" ? "PERCENTAGE" : "FIXED",
        PayoutPercentage: group.type === "percentage" ? String(group.percentage) : "",
        PayoutAmount: group.type === "fix" ? String(group.amount) : "",
        PayoutCurrency: group.type === "fix" ? group.currency : programme.currencyCode,
      })),
    }),
    promotion: (promotion) => ({
      Id: String(promotion.promotionId),
      CampaignId: String(promotion.advertiser.id),
      Name: promotion.title,
      Description: promotion.description,
      State: "ACTIVE",
      DefaultPromoCode: codeOf(promotion),
      StartDate: promotion.startDate,
      EndDate: promotion.endDate ?? "",
      LandingPage: promotion.url,
    }),
  },
  rakuten: {
    ...asTheyAre,
    programmes: ['{"advertisers": [\n', "\n]}\n"],
    promotions: [`${XML_DECLARATION}<couponfeed>\n`, "\n</couponfeed>\n"],
    xml: ["promotions"],
    programme: (programme) => ({
      id: programme.id,
      name: programme.name,
      url: programme.displayUrl,
      description: programme.description,
      status: "active",
      currency: programme.currencyCode,
      domains: hostsOf(programme),
      commission_lists: groupsOf(programme).map((group) => ({
        id: group.groupId,
        name: group.groupName,
        ...(group.type === "percentage"
          ? { type: "percentage", value: group.percentage }
          : { type: "flat", value: group.amount }),
      })),
    }),
    promotion: (promotion) =>
      xmlElement("link", [
        xmlElement("offerdescription", promotion.title),
        xmlElement("offerstartdate", withoutTime(promotion.startDate, "00:00:00")),
        xmlElement("offerenddate", withoutTime(promotion.endDate ?? "", "23:59:59")),
        xmlElement("couponcode", codeOf(promotion)),
        // Rakuten has one text beside the title.
        xmlElement("couponrestriction", [promotion.description, promotion.terms].filter(Boolean).join(" ")),
        xmlElement(
          "clickurl",
          `https://click.linksynergy.com/link?id=DevLink0003&offerid=${promotion.promotionId}&type=3&murl=${encodeURIComponent(promotion.url)}`,
        ),
        xmlElement("advertiserid", String(promotion.advertiser.id)),
        xmlElement("advertisername", promotion.advertiser.name ?? ""),
      ]),
  },
  partnerize: {
    programmeId: (id) => `1111l${id}`,
    offerId: (id) => `1111l${id}`,
    programmes: ['{"campaigns": [\n', "\n]}\n"],
    promotions: ['{"voucher_codes": [\n', "\n]}\n"],
    programme: (programme) => ({
      campaign: {
        campaign_id: `1111l${programme.id}`,
        title: programme.name,
        destination_url: programme.displayUrl,
        camref: `1011l${programme.id}`,
        default_currency: programme.currencyCode,
        publisher_status: "a",
        status: "a",
        description: { en: programme.description },
        allow_deep_linking: "y",
        deep_link_domains: hostsOf(programme),
        commissions: groupsOf(programme).map((group) => ({
          commission_id: String(group.groupId),
          title: group.groupName,
          ...(group.type === "percentage"
            ? { performance_model: "percentage", performance_value: String(group.percentage) }
            : { performance_model: "fixed_cpa", performance_value: String(group.amount), currency: group.currency }),
        })),
      },
    }),
    promotion: (promotion) => ({
      voucher_code: {
        voucher_code_id: `1111l${promotion.promotionId}`,
        campaign_id: `1111l${promotion.advertiser.id}`,
        active: "y",
        voucher_code: codeOf(promotion),
        title: promotion.title,
        description: promotion.description,
        terms: promotion.terms,
        destination_url: promotion.url,
        start_date_time: promotion.startDate,
        end_date_time: promotion.endDate,
      },
    }),
  },
};

/** The slugs of the networks that the demo catalogue is spread over. */
export const demoNetworks: readonly string[] = Object.keys(FORMATS);

/** The network's own id of a demo programme, and of a demo offer. */
export function programmeIdAt(network: string, id: number | string): string {
  return FORMATS[network]!.programmeId(Number(id));
}

export function offerIdAt(network: string, id: number | string): string {
  return FORMATS[network]!.offerId(Number(id));
}

export const NETWORK_FILES = ["programmes", "promotions", "retailers"] as const;
export type NetworkFile = (typeof NETWORK_FILES)[number];

/** Returns the name of one of a network's files, in the catalogue's folder. */
export function networkFile(network: string, kind: NetworkFile): string {
  const isXml = FORMATS[network]!.xml?.includes(kind) ?? false;
  return path.join("networks", `${network}-${kind}.${isXml ? "xml" : "json"}`);
}

/**
 * Writes each network's part of the demo catalogue to `folder`/networks, as the network writes it, with the club's own file about its retailers. All
 * files are renamed into place when they are complete.
 */
export async function writeNetworkFiles(folder: string, scale: DemoScale): Promise<void> {
  await mkdir(path.join(folder, "networks"), { recursive: true });
  const files = new Map<string, RecordFile>();
  const file = (network: string, kind: NetworkFile) => files.get(networkFile(network, kind))!;
  try {
    for (const network of demoNetworks) {
      for (const kind of NETWORK_FILES)
        files.set(networkFile(network, kind), await RecordFile.open(folder, networkFile(network, kind)));
      await file(network, "programmes").write(FORMATS[network]!.programmes[0]);
      await file(network, "promotions").write(FORMATS[network]!.promotions[0]);
      await file(network, "retailers").write(
        `{"brands": ${JSON.stringify(demoBrands)},\n"categories": ${JSON.stringify(demoCategories())},\n"retailers": [\n`,
      );
    }
    for (const entry of demoCatalogue(scale)) {
      const format = FORMATS[entry.network]!;
      await file(entry.network, "programmes").record(format.programme(entry.programme));
      for (const promotion of entry.promotions)
        await file(entry.network, "promotions").record(format.promotion(promotion));
      await file(entry.network, "retailers").record(editorialAt(entry));
    }
    for (const network of demoNetworks) {
      await file(network, "programmes").write(FORMATS[network]!.programmes[1]);
      await file(network, "promotions").write(FORMATS[network]!.promotions[1]);
      await file(network, "retailers").write("\n]}\n");
    }
    for (const one of files.values()) await one.finish();
    for (const one of files.values()) await one.publish();
  } catch (error) {
    for (const one of files.values()) await one.discard();
    throw error;
  }
}

/** What the club writes about a retailer, under its network's ids. */
function editorialAt({ network, editorial }: DemoEntry): DemoEntry["editorial"] {
  return {
    ...editorial,
    networkProgrammeId: programmeIdAt(network, editorial.networkProgrammeId),
    offers: (editorial.offers ?? []).map((offer) => ({
      // Only Awin marks a voucher whose code is for one member each.
      ...(offer.codePool && network !== "awin" ? { kind: "code" as const } : {}),
      ...offer,
      networkOfferId: offerIdAt(network, offer.networkOfferId),
    })),
  };
}

/** Returns the day of a moment that is `time` of it in GMT, as Rakuten writes dates, and any other moment whole. */
function withoutTime(moment: string, time: string): string {
  return moment.replace(new RegExp(`T${time}(?:Z|\\+00:00)$`), "");
}

/** Returns `5` as `5.00`, as CJ writes rates and amounts. */
function twoDecimals(value: number): string {
  return decimalPounds(pence(Math.round(value * 100)));
}
