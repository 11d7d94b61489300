import type { SearchPage } from "@farthing/core/catalogue/catalogue-view.ts";
import { mulberry32, type SyntheticCatalogue } from "./synthetic-catalogue.ts";
import { misspell } from "./typos.ts";

export interface Question {
  kind: string;
  query: string;
  /** Returns whether the result has what was meant; null if only the time counts. */
  isHit: ((answer: SearchPage) => boolean) | null;
}

/** Queries of the first brand's visitors, each kind in turn, so that every run has the same mix. */
export function ask({ retailers, offers, categories }: SyntheticCatalogue, count: number): Question[] {
  const random = mulberry32(7);
  const below = (limit: number) => Math.floor(random() * limit);
  // The first brand is measured; it does not show every eighth retailer.
  const shownRetailers = retailers.filter((_, index) => index % 8 !== 0);
  const shownOffers = offers.filter(({ retailer }) => retailer % 8 !== 0);
  const kinds: (() => Question)[] = [
    () => {
      const { slug, name } = shownRetailers[below(shownRetailers.length)]!;
      return {
        kind: "retailer's name, one slip",
        query: misspell(name, random),
        isHit: (answer) => answer.retailers.some((retailer) => retailer.slug === slug),
      };
    },
    () => {
      const offer = shownOffers[below(shownOffers.length)]!;
      const query = misspell(`${offer.title} ${retailers[offer.retailer]!.name}`, random);
      return {
        kind: "offer's title and retailer, one slip",
        query,
        isHit: (answer) => answer.offers.some(({ publicId }) => publicId === offer.publicId),
      };
    },
    () => {
      const { title } = shownOffers[below(shownOffers.length)]!;
      return {
        kind: "offer's title alone, one slip",
        query: misspell(title, random),
        isHit: (answer) => answer.offers.some((offer) => offer.title === title),
      };
    },
    () => {
      const { slug, name } = shownRetailers[below(shownRetailers.length)]!;
      return { kind: "retailer's name as it is", query: name, isHit: (answer) => answer.retailers[0]?.slug === slug };
    },
    () => ({
      kind: "one common word",
      query: ["free", "delivery", "sofas", "insurance", "trainers", "20%", "clearance", "tickets"][below(8)]!,
      isHit: (answer) => answer.offers.length > 0,
    }),
    () => ({
      kind: "common words that never meet",
      query: ["sofas sushi", "pizza insurance", "trainers cruises", "laptops curry"][below(4)]!,
      isHit: null,
    }),
    () => ({
      kind: "category",
      query: categories[below(categories.length)]!.name,
      isHit: (answer) => answer.categories.length > 0,
    }),
    () => {
      const { name } = shownRetailers[below(shownRetailers.length)]!;
      return {
        kind: "first letters of a word",
        query: name.slice(0, 1 + below(6)),
        isHit: (answer) => answer.retailers.length > 0,
      };
    },
    () => ({
      kind: "nothing there",
      query: ["zzxqy vvkkw", "'; drop table offers; --", "🦊🦊🦊", "!(&|<->:*)", "qwertyuiopasdf"][below(5)]!,
      isHit: null,
    }),
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]!());
}
