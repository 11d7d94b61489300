import networks from "@farthing/db/seeds/networks.json" with { type: "json" };
import type { DemoEditorial, DemoProgramme, NamedDemoRetailer } from "./demo-entry.ts";
import { demoBrands, brandsWithMinors } from "./demo-brands.ts";
import { fillSlots } from "./fill-slots.ts";
import { categoriesOfRetailer } from "./fitting-categories.ts";
import { suiting, thingOf, type CategoryGrammar, type Trade } from "./grammar.ts";
import { awinInstant, daysFrom } from "./moments.ts";
import { cashbackTerms } from "./offer-terms.ts";
import { founders, origins, places, ranges, services, shortInfos } from "./retailer-copy.ts";
import type { Random } from "@farthing/art/random.ts";

export type RetailerBrief = NamedDemoRetailer & { index: number; now: Date; chance: Random; network: string };

export function advertiserId(index: number): number {
  return 10_001 + index;
}

export function shopUrl(slug: string, path = ""): string {
  return `https://${slug}.example/${path}`;
}

/** Returns a retailer as the network lists it and as the club describes it. write-offers.ts writes its offers. */
export function writeRetailer(brief: RetailerBrief): { programme: DemoProgramme; editorial: DemoEditorial } {
  const { name, slug, category, trade, known, index, chance } = brief;
  const words = copyWords(brief);
  const shortInfo = fillSlots(chance.pick(shortInfos), words);
  const longInfo = writeLongInfo(chance, category, trade, words);
  const tiers = writeTiers(brief);
  const currencyCode = known?.currency ?? "GBP";
  const programme: DemoProgramme & Record<string, unknown> = {
    id: advertiserId(index),
    name,
    displayUrl: shopUrl(slug),
    clickThroughUrl: `https://www.awin1.com/awclick.php?mid=${advertiserId(index)}&id=901234`,
    logoUrl: shopUrl(slug, "logo.png"),
    currencyCode,
    primaryRegion:
      currencyCode === "GBP" ? { name: "United Kingdom", countryCode: "GB" } : { name: "France", countryCode: "FR" },
    primarySector: category.sector,
    status: "joined",
    description: `${shortInfo} ${longInfo.split("\n\n")[0]}`,
    validDomains: [{ domain: `${slug}.example` }, { domain: `www.${slug}.example` }],
    kpi: {
      averagePaymentTime: String(chance.between(28, 75)),
      approvalPercentage: chance.between(780, 985) / 10,
      epc: chance.between(4, 95) / 100,
      conversionRate: chance.between(60, 620) / 100,
      validationDays: Math.round((category.confirms[0] + category.confirms[1]) / 2),
      awinIndex: chance.between(310, 940) / 10,
    },
    commissionGroups: tiers.map((tier) => tier.group),
  };
  const editorial: DemoEditorial = {
    networkProgrammeId: String(advertiserId(index)),
    slug,
    name,
    shortInfo,
    longInfo,
    terms: writeTerms(chance, category),
    status: known?.status ?? "active",
    acceptsClaims: known?.acceptsClaims ?? !chance.percent(4),
    adultsOnly: known?.adultsOnly ?? trade.adultsOnly ?? false,
    tracksWithinDays: daysAround(chance, category.tracks),
    confirmsWithinDays: daysAround(chance, category.confirms),
    confirmsAfter: category.confirmsAfter,
    popularity: known?.popularity ?? 60 + Math.floor(600 * chance.next() ** 2),
    categories: categoriesOfRetailer(brief),
    tiers: tiers.map((tier) => tier.note),
    boosts: tiers.flatMap((tier) => tier.boosts),
    otherProgrammes: (known?.otherNetwork === undefined ? [] : [known.otherNetwork]).map((other) => ({
      ...other,
      name,
      currency: "GBP",
      landingUrl: shopUrl(slug),
      validDomains: [`${slug}.example`],
    })),
    brands: chooseBrands(brief),
  };
  return { programme, editorial };
}

function copyWords({ name, trade, chance }: RetailerBrief): Record<string, string> {
  const [thing, thing2] = chance.sample(trade.things, 2).map((entry) => thingOf(entry).thing) as [string, string];
  const [founder, founder2] = chance.sample(founders, 2) as [string, string];
  return {
    name,
    sells: trade.sells,
    thing,
    thing2,
    founder,
    founder2,
    place: chance.pick(places),
    year: String(chance.between(1948, 2019)),
    count: chance.pick([
      "six",
      "nine",
      "eleven",
      "fourteen",
      "seventeen",
      "twenty-two",
      "thirty",
      "forty-one",
      "sixty",
    ]),
  };
}

function writeLongInfo(chance: Random, category: CategoryGrammar, trade: Trade, words: Record<string, string>): string {
  const [says1 = "", says2 = ""] = chance.sample(suiting(category.says, trade), 2);
  const paragraphs = [
    chance.pick(origins),
    `${chance.pick(ranges)} ${says1}`,
    `${chance.sample(services, 2).join(" ")} ${says2}`,
  ];
  return paragraphs.map((paragraph) => fillSlots(paragraph, words).trim()).join("\n\n");
}

function writeTerms(chance: Random, category: CategoryGrammar): string {
  const left = chance.sample(category.leavesOut, 2).join(" or ");
  return `Cashback is worked out ${category.basis}. Not on ${left}. ${chance.sample(cashbackTerms, 3).join(" ")}`;
}

function daysAround(chance: Random, [min, max]: readonly [number, number]): { min: number; max: number } {
  const from = min + chance.between(0, Math.floor((max - min) / 4));
  return { min: from, max: Math.max(from, max - chance.between(0, Math.floor((max - min) / 4))) };
}

interface Tier {
  group: NonNullable<DemoProgramme["commissionGroups"]>[number];
  note: NonNullable<DemoEditorial["tiers"]>[number];
  boosts: NonNullable<DemoEditorial["boosts"]>;
}

/** Returns the commission of which members get the rate: the share of their network, in hundredths of a percent. */
function commissionOf(member: number, network: string): number {
  const shareBp = networks.find(({ slug }) => slug === network)?.memberShareBp ?? 8_000;
  return Math.ceil((member * 10_000) / shareBp);
}

function writeTiers({ category, known, index, now, chance, network }: RetailerBrief): Tier[] {
  const labels = known?.zeroRate ? ["Everything"] : chance.pick(category.tiers);
  const { rate } = category;
  const [min, max, step] =
    rate.kind === "percent"
      ? [rate.minBp, rate.maxBp, rate.maxBp > 400 ? 50 : 25]
      : [rate.minPence, rate.maxPence, 500];
  const best = known?.zeroRate ? 0 : min + Math.floor(((max - min) * chance.next() ** 1.3) / step) * step;
  const cap = rate.kind === "percent" && chance.percent(10) ? chance.pick([2000, 2500, 5000, 10_000]) : undefined;
  return labels.map((label, position) => {
    const member = roundTo(
      best * [1, 0.6, 0.35][position]!,
      Math.min(step, 50),
      known?.zeroRate ? 0 : Math.min(step, 50),
    );
    const groupId = 3_000_000 + index * 10 + position;
    const base = { groupId, groupCode: groupCode(label), groupName: label };
    const group =
      rate.kind === "percent"
        ? { ...base, type: "percentage" as const, percentage: commissionOf(member, network) / 100 }
        : { ...base, type: "fix" as const, amount: commissionOf(member, network) / 100, currency: "GBP" };
    return {
      group,
      note: { groupId: String(groupId), basis: category.basis, ...(cap === undefined ? {} : { capPence: cap }) },
      boosts:
        position === 0
          ? writeBoosts({ known, now, chance, member, step, kind: rate.kind, groupId: String(groupId) })
          : [],
    };
  });
}

function roundTo(value: number, step: number, min: number): number {
  return Math.max(min, Math.round(value / step) * step);
}

function groupCode(label: string): string {
  return label
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .slice(0, 20);
}

function writeBoosts(
  given: Pick<RetailerBrief, "known" | "now" | "chance"> & {
    member: number;
    step: number;
    kind: "percent" | "fixed";
    groupId: string;
  },
): Tier["boosts"] {
  const { known, now, chance, member, step, kind, groupId } = given;
  const roll = chance.between(1, 100);
  const window = known?.zeroRate
    ? [3, 10]
    : known?.boosted || roll <= 9
      ? [-2, chance.between(2, 6)]
      : roll <= 14
        ? [chance.between(1, 6), chance.between(8, 12)]
        : roll <= 18
          ? [-30, -23]
          : null;
  if (window === null) return [];
  const raised = member + step * chance.between(2, 5);
  const rate = kind === "percent" ? { memberRateBp: Math.min(raised, 10_000) } : { memberRatePence: raised };
  return [
    {
      groupId,
      ...rate,
      startsAt: awinInstant(daysFrom(now, window[0] as number)),
      endsAt: awinInstant(daysFrom(now, window[1] as number)),
    },
  ];
}

/** Chooses the brands that hide or feature a retailer: each brand shows most retailers, hides a few and features some. */
function chooseBrands({ known, trade, chance }: RetailerBrief): { hiddenFrom: string[]; featuredOn: string[] } {
  const hidden = demoBrands.filter(() => chance.percent(7));
  const featured = demoBrands.filter(() => chance.percent(5));
  if (known !== null) return { hiddenFrom: [...(known.hiddenFrom ?? [])], featuredOn: [...(known.featuredOn ?? [])] };
  if (trade.adultsOnly) hidden.push(...brandsWithMinors.filter((brand) => !hidden.includes(brand)));
  return { hiddenFrom: hidden, featuredOn: featured.filter((brand) => !hidden.includes(brand)) };
}
