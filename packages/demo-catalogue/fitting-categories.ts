import { type CategoryGrammar, thingOf, type Trade } from "./grammar.ts";

/** A shop is listed in a second category only if it sells at least this many kinds of its goods. */
const SHELF = 3;

type Goods = { category: CategoryGrammar; trade: Trade };

/** Returns the slugs of the categories that a retailer is listed in, its own first. */
export function categoriesOfRetailer({ category, trade }: Goods): string[] {
  const others = Object.entries(trade.also ?? {}).filter(([, things]) => things.length >= SHELF);
  return [category.slug, ...others.map(([slug]) => slug)];
}

/**
 * Returns the slugs of the categories of an offer: its retailer's own first, then those of the goods that its title names. An offer on the whole shop is
 * in the shop's own category only.
 */
export function categoriesOfOffer({ category, trade }: Goods, title: string): string[] {
  const words = title.toLowerCase();
  const others = Object.entries(trade.also ?? {}).filter(([, things]) =>
    things.some((thing) => words.includes(thingOf(thing).thing.toLowerCase())),
  );
  return [category.slug, ...others.map(([slug]) => slug)];
}
