import { type KindCounts, type OfferKind, offerKinds } from "@farthing/core/catalogue/catalogue-view.ts";
import { rateChoices } from "@farthing/core/catalogue/rules.ts";

/** A kind of offer on a card. */
export const kindWords: Readonly<Record<OfferKind, string>> = {
  cashback: "Cashback",
  code: "Code",
  deal: "Deal",
  in_store: "In store",
  gift_card: "Gift card",
  app_exclusive: "In the app",
};

/** Kinds of offers to choose from. */
export const kindPlurals: Readonly<Record<OfferKind, string>> = {
  cashback: "Cashback",
  code: "Codes",
  deal: "Deals",
  in_store: "In store",
  gift_card: "Gift cards",
  app_exclusive: "In the app",
};

/** A kind as addresses write it. */
export function kindInPath(kind: OfferKind | null): string | null {
  return kind?.replaceAll("_", "-") ?? null;
}

/** The kinds to choose from: those that there are, and the one chosen; all of them where they were not counted. */
export function kindLinks(
  kinds: KindCounts | null,
  chosen: string | null,
): { kind: OfferKind; value: string; count: number | null }[] {
  return offerKinds
    .map((kind) => ({ kind, value: kindInPath(kind) ?? "", count: kinds ? (kinds[kind] ?? 0) : null }))
    .filter(({ value, count }) => count === null || count > 0 || value === chosen);
}

/** Choices of "pays at least". */
export const rateSelect = {
  name: "rate",
  label: "Shops paying",
  choices: [["", "Any rate"], ...rateChoices.map((percent) => [String(percent), `${percent}% or more`] as const)],
} as const;
