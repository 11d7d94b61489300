import type { OfferSort } from "@farthing/core/catalogue/catalogue-view.ts";

/** "Sort by" of a list of offers. The first choice is the default, which stands in no address. */
export const sortSelect: { name: string; label: string; choices: readonly (readonly [OfferSort | "", string])[] } = {
  name: "sort",
  label: "Sort by",
  choices: [
    ["", "Most popular"],
    ["newest", "Newest"],
    ["ending", "Ending soonest"],
  ],
};

/** Returns a sort as addresses write it; null for the default. */
export function sortInPath(sort: OfferSort): string | null {
  return sort === "popular" ? null : sort;
}
