import { demoBrands } from "./demo-brands.ts";
import type { DemoEditorial, DemoPromotion } from "./demo-entry.ts";
import { capitalised, fillSlots } from "./fill-slots.ts";
import { categoriesOfOffer } from "./fitting-categories.ts";
import { thingOf, type CategoryGrammar } from "./grammar.ts";
import { knownOffers, type KnownOffer } from "./known-offers.ts";
import type { KindMix } from "./kind-mix.ts";
import type { DemoKind } from "./known-offers.ts";
import { awinInstant, daysFrom, endOfDay } from "./moments.ts";
import { offerTemplates } from "./offer-templates.ts";
import { inStoreTerms, offerTerms } from "./offer-terms.ts";
import { headlineOf } from "@farthing/core/catalogue-imports/headline.ts";
import { slugOf } from "@farthing/core/catalogue-imports/slug.ts";
import { poolCodes, sharedCode } from "./offer-codes.ts";
import { offerWords } from "./offer-words.ts";
import type { Random } from "@farthing/art/random.ts";
import { advertiserId, shopUrl, type RetailerBrief } from "./write-retailer.ts";
import { variantsOf } from "./write-variants.ts";

export type DemoOfferEditorial = NonNullable<DemoEditorial["offers"]>[number];

export interface DemoOffer {
  promotion: DemoPromotion;
  editorial: DemoOfferEditorial;
}

type OffersBrief = RetailerBrief & { count: number; mix: KindMix };

/** Returns a retailer's offers: the known ones first, then `count` that are made up. Titles are unique. */
export function writeOffers(brief: OffersBrief): DemoOffer[] {
  const known = knownOffers.filter((offer) => offer.retailer === brief.slug);
  const used = {
    titles: new Set(known.map((offer) => offer.title)),
    codes: new Set(known.map((offer) => offer.code ?? "")),
  };
  const offers = known.map((offer) => writeKnownOffer(brief, offer));
  for (let position = 0; position < brief.count; position++) offers.push(writeOffer(brief, position, used));
  return offers;
}

function writeOffer(
  brief: OffersBrief,
  position: number,
  used: { titles: Set<string>; codes: Set<string> },
): DemoOffer {
  const { category, chance, index, mix, slug, now, trade } = brief;
  const kind = mix.next(category.hasStores);
  const { title, headline, says, words } = writeTitle(brief, kind, used.titles);
  const dates = writeDates(chance, now);
  const networkOfferId = String(1_000_000 + index * 1000 + position);
  const path = slugOf(words["thing"] as string, "offers");
  const leaves = chance.sample(category.leavesOut, 2);
  const variants =
    kind !== "app" && kind !== "in_store" && chance.percent(10) ? variantsOf(category.family, chance) : [];
  const promotion = writePromotion(brief, {
    networkOfferId,
    kind,
    title,
    description: says,
    terms: writeTermsOf(chance, category, kind, words),
    code: kind === "code" ? sharedCode(brief, title, used.codes) : null,
    url: shopUrl(slug, kind === "in_store" ? "branches" : path),
    ...dates,
  });
  return {
    promotion,
    editorial: {
      networkOfferId,
      categories: categoriesOfOffer(brief, title),
      ...kindFields(kind, chance, slug),
      ...(headline === headlineOf(title) ? {} : { headline }),
      exclusions: `Not on ${leaves.join(" or ")}.`,
      popularity: Math.floor(1000 * chance.next() ** 3),
      ...(trade.adultsOnly ? { adultsOnly: true } : {}),
      ...(variants.length === 0
        ? {}
        : {
            variants: variants.map((label) => ({
              label,
              landingUrl: shopUrl(slug, `${path}/${slugOf(label, "choice")}`),
            })),
          }),
      ...(chance.percent(4) ? { brands: chance.sample(demoBrands, chance.between(1, 3)) } : {}),
    },
  };
}

function writeTitle(
  brief: OffersBrief,
  kind: DemoKind,
  titles: Set<string>,
): { title: string; headline: string; says: string; words: Record<string, string> } {
  const { category, chance } = brief;
  const templates = offerTemplates[category.family][kind === "pool" ? "code" : kind];
  for (let attempt = 0; ; attempt++) {
    const template = chance.pick(templates);
    const words = offerWords(brief, template);
    const title = capitalised(fillSlots(template.title, words));
    if (titles.has(title) && attempt < 30) continue;
    titles.add(title);
    const headline = template.headline === null ? headlineOf(title) : capitalised(fillSlots(template.headline, words));
    return {
      title,
      headline: shortHeadline(headline),
      says: fillSlots(template.says, words),
      words,
    };
  }
}

/** Longer headlines lose what follows a preposition. */
const LONG_HEADLINE = 24;
/** The maximum length of a headline, in characters: a card shows it well in its largest type. */
const MAX_HEADLINE = 28;

/** Returns what is free, without what it is on, with or for: "Free exchanges for 100 days" becomes "Free exchanges". */
function shortHeadline(headline: string): string {
  if (headline.length <= LONG_HEADLINE) return headline;
  const short = headline.replace(/ (?:at|for|from|in|on|to|when|with|within)\b.*$/, "");
  return short.length <= MAX_HEADLINE ? short : "Free extra";
}

function writeDates(chance: Random, now: Date): { startsAt: Date; endsAt: Date | null } {
  const roll = chance.between(1, 100);
  if (roll <= 4)
    return { startsAt: daysFrom(now, -chance.between(60, 120)), endsAt: endOfDay(now, -chance.between(2, 40)) };
  if (roll <= 8)
    return { startsAt: daysFrom(now, chance.between(1, 12)), endsAt: endOfDay(now, chance.between(15, 60)) };
  const startsAt = daysFrom(now, -chance.between(1, 70));
  if (roll <= 18) return { startsAt, endsAt: null };
  if (roll <= 24) return { startsAt, endsAt: endOfDay(now, chance.between(0, 3)) };
  if (roll <= 40) return { startsAt, endsAt: endOfDay(now, chance.between(4, 14)) };
  return { startsAt, endsAt: endOfDay(now, chance.between(15, 110)) };
}

/** Returns terms that fit the kind of offer: a deal has no code, and a shop has no online order. */
function writeTermsOf(
  chance: Random,
  category: CategoryGrammar,
  kind: DemoKind,
  words: Record<string, string>,
): string {
  const ofFamily = offerTerms[category.family];
  const fitting =
    kind === "in_store"
      ? inStoreTerms
      : kind === "deal" || kind === "app"
        ? ofFamily.filter((sentence) => !/\bcode\b/.test(sentence))
        : ofFamily;
  return chance
    .sample(fitting, chance.between(2, 4))
    .map((sentence) => fillSlots(sentence, words))
    .join(" ");
}

function kindFields(kind: DemoKind, chance: Random, slug: string): Partial<DemoOfferEditorial> {
  if (kind === "in_store") return { kind: "in_store" };
  if (kind === "app") return { kind: "app_exclusive" };
  return kind === "pool" ? { codePool: poolCodes(chance, slug) } : {};
}

function writeKnownOffer(brief: OffersBrief, known: KnownOffer): DemoOffer {
  const { category, chance, now, slug } = brief;
  const startsAt = daysFrom(now, known.startsInDays);
  const endsAt = known.endsInDays === null ? null : endOfDay(now, known.endsInDays);
  const words = { name: brief.name, min: "40", thing: thingOf(brief.trade.things[0] as string).thing };
  const promotion = writePromotion(brief, {
    networkOfferId: known.networkOfferId,
    kind: known.kind,
    title: known.title,
    description: known.says,
    terms: writeTermsOf(chance, category, known.kind, words),
    code: known.code ?? null,
    url: shopUrl(slug, slugOf(words.thing, "offers")),
    startsAt,
    endsAt,
  });
  return {
    promotion,
    editorial: {
      networkOfferId: known.networkOfferId,
      categories: categoriesOfOffer(brief, known.title),
      ...(known.kind === "in_store" ? { kind: "in_store" as const } : {}),
      ...(known.kind === "app" ? { kind: "app_exclusive" as const } : {}),
      headline: known.headline,
      exclusions: `Not on ${chance.sample(category.leavesOut, 2).join(" or ")}.`,
      popularity: known.popularity ?? 400,
      ...(known.adultsOnly ? { adultsOnly: true } : {}),
      ...(known.variants === undefined
        ? {}
        : {
            variants: known.variants.map((label) => ({
              label,
              landingUrl: shopUrl(slug, `choose/${slugOf(label, "choice")}`),
            })),
          }),
      ...(known.pool === undefined ? {} : { codePool: [...known.pool] }),
      ...(known.brands === undefined ? {} : { brands: [...known.brands] }),
    },
  };
}

interface PromotionText {
  networkOfferId: string;
  kind: DemoKind;
  title: string;
  description: string;
  terms: string;
  code: string | null;
  url: string;
  startsAt: Date;
  endsAt: Date | null;
}

function writePromotion({ index, name }: OffersBrief, text: PromotionText): DemoPromotion {
  const id = advertiserId(index);
  const isVoucher = text.kind === "code" || text.kind === "pool";
  return {
    promotionId: Number(text.networkOfferId),
    type: isVoucher ? "voucher" : "promotion",
    advertiser: { id, name, joined: true },
    title: text.title,
    description: text.description,
    terms: text.terms,
    startDate: awinInstant(text.startsAt),
    endDate: text.endsAt === null ? null : awinInstant(text.endsAt),
    url: text.url,
    urlTracking: `https://www.awin1.com/cread.php?awinmid=${id}&awinaffid=901234&ued=${encodeURIComponent(text.url)}`,
    dateAdded: awinInstant(text.startsAt),
    campaign: "",
    // Fields of Awin's that the import ignores.
    ...{ regions: { all: true }, promotionCategories: [] as string[] },
    ...(isVoucher
      ? { voucher: { code: text.code ?? "", exclusive: text.kind === "pool", attributable: text.kind === "pool" } }
      : {}),
  };
}
