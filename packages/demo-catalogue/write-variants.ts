import type { OfferFamily } from "./grammar.ts";
import type { Random } from "@farthing/art/random.ts";

const choices: Record<OfferFamily, readonly (readonly string[])[]> = {
  goods: [
    ["Delivered", "Click and collect"],
    ["Women", "Men", "Children"],
    ["New customers", "Existing customers"],
  ],
  food: [
    ["Small", "Medium", "Large"],
    ["Weekly", "Every two weeks"],
  ],
  dining: [
    ["Eat in", "Take away"],
    ["Table for two", "Table for four", "Table for six"],
  ],
  contract: [
    ["12 months", "24 months"],
    ["SIM only", "With a phone"],
  ],
  cover: [
    ["Just me", "Couple", "Family"],
    ["Pay monthly", "Pay yearly"],
  ],
  travel: [
    ["From London", "From Manchester", "From Edinburgh"],
    ["Flights and hotel", "Hotel only"],
  ],
  stay: [
    ["Two nights", "Three nights", "A week"],
    ["Room only", "With breakfast"],
  ],
  tickets: [
    ["Adult", "Child", "Family of four"],
    ["Weekday", "Weekend"],
  ],
  motoring: [
    ["Fitted at a centre", "Fitted at home"],
    ["Small car", "Family car", "Van"],
  ],
};

/** Returns the labels of an offer's variants, in order. */
export function variantsOf(family: OfferFamily, chance: Random): readonly string[] {
  return chance.pick(choices[family]);
}
