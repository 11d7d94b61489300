import { suiting, thingOf, type CategoryGrammar } from "./grammar.ts";
import type { OfferTemplate } from "./offer-templates.ts";
import type { RetailerBrief } from "./write-retailer.ts";

/** Returns words for a template's slots that fit each other: a discount is never more than a reasonable part of the price. */
export function offerWords(
  { category, chance, name, trade }: RetailerBrief,
  template: OfferTemplate,
): Record<string, string> {
  const [low, high] = category.basket;
  const [one, other] = chance.sample(trade.things, 2).map(thingOf) as [
    ReturnType<typeof thingOf>,
    ReturnType<typeof thingOf>,
  ];
  const price = one.price ?? chance.between(Math.ceil(low / 3), low);
  const big = template.title.includes("{big}");
  const pct = big ? chance.pick([10, 15, 20, 25]) : chance.pick([5, 8, 10, 10, 12, 15, 15, 20, 20, 25, 30]);
  const amounts = [5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200].filter(
    (amount) => amount <= Math.max(10, high * 0.3),
  );
  // A discount on a single thing is never more than a reasonable part of its price.
  const ofThing = /\{thing\}/i.test(template.title) && template.title.includes("{min}");
  const amount = chance.pick(ofThing ? amounts.filter((pounds) => pounds <= Math.max(5, price * 0.3)) : amounts);
  const gift = chance.pick(suiting(category.perks, trade));
  const months = chance.between(2, 6);
  const [n, m] = chance.pick([
    [3, 2],
    [4, 3],
    [2, 1],
    [5, 4],
  ] as const);
  return {
    name,
    thing: one.thing,
    thing2: other.thing,
    season: chance.pick(category.seasons),
    perk: gift.replace(/^(a|an|the) /, ""),
    gift,
    pct: String(pct),
    big: String(chance.pick([30, 40, 50, 60, 70])),
    amount: String(amount),
    min: String(
      Math.ceil(
        (template.title.includes("{amount}")
          ? amount * chance.between(4, 7)
          : chance.between(low, Math.min(high, 90))) / 5,
      ) * 5,
    ),
    price: String(price),
    pair: pairPrice(category, price, n),
    months: ["two", "three", "four", "five", "six"][months - 2] as string,
    n: String(n),
    m: String(m),
  };
}

/** Returns the price of `n` things together: a set meal and a family ticket have prices of their own. */
function pairPrice(category: CategoryGrammar, price: number, n: number): string {
  if (category.family === "dining") return String(14 + (price % 9));
  if (category.family === "tickets") return String(19 + (price % 16));
  const count = category.family === "food" ? n : 2;
  return String(Math.max(count, Math.round(price * count * 0.82)));
}
