import { type KindCounts, type OfferKind, offerKinds } from "@farthing/core/catalogue/catalogue-view.ts";
import { rateChoices } from "@farthing/core/catalogue/rules.ts";

/** The label of a kind on a card. */
export const kindWords: Readonly<Record<OfferKind, string>> = {
  cashback: "Cashback",
  code: "Code",
  deal: "Deal",
  in_store: "In store",
  gift_card: "Gift card",
  app_exclusive: "In the app",
};

/** The label of a kind in filters. */
export const kindPlurals: Readonly<Record<OfferKind, string>> = {
  cashback: "Cashback",
  code: "Codes",
  deal: "Deals",
  in_store: "In store",
  gift_card: "Gift cards",
  app_exclusive: "In the app",
};

/** Returns a kind as it is written in addresses. */
export function kindInPath(kind: OfferKind | null): string | null {
  return kind?.replaceAll("_", "-") ?? null;
}

/** Returns the kinds to filter by: those with offers and the chosen one, or all where the offers were not counted. */
export function kindLinks(
  kinds: KindCounts | null,
  chosen: string | null,
): { kind: OfferKind; value: string; count: number | null }[] {
  return offerKinds
    .map((kind) => ({ kind, value: kindInPath(kind) ?? "", count: kinds ? (kinds[kind] ?? 0) : null }))
    .filter(({ value, count }) => count === null || count > 0 || value === chosen);
}

/** The dropdown of minimum rates. */
export const rateSelect = {
  name: "rate",
  label: "Shops paying",
  choices: [["", "Any rate"], ...rateChoices.map((percent) => [String(percent), `${percent}% or more`] as const)],
} as const;
