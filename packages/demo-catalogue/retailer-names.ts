import { slugOf } from "@farthing/core/catalogue-imports/slug.ts";
import { allCategories } from "./categories/all-categories.ts";
import type { CategoryGrammar, Trade } from "./grammar.ts";
import { deniedNames } from "./denied-names.ts";
import type { Random } from "@farthing/art/random.ts";

/**
 * Sixty made-up first words. None is a town or a brand: each joins two words that no map or high street has put together
 * (denied-names.ts is checked against them by test).
 */
export const firstWords: readonly string[] = [
  "Fernhollow",
  "Brasslark",
  "Quillmoor",
  "Saltmeadow",
  "Hobnettle",
  "Pennywhistle",
  "Larkspan",
  "Tarnside",
  "Mossgate",
  "Bluebottle",
  "Copperwren",
  "Harbourlight",
  "Pebbleback",
  "Gildenrow",
  "Thistlecrate",
  "Ambercroft",
  "Wickerline",
  "Otterglen",
  "Sorrelby",
  "Marlowick",
  "Rookwhistle",
  "Hollowreed",
  "Kestrelmoss",
  "Ivoryknot",
  "Yarrowmint",
  "Linnetfold",
  "Cinderquill",
  "Bramblekite",
  "Oatmarrow",
  "Plumthatch",
  "Flintwillow",
  "Lanternoak",
  "Candlefen",
  "Zephyrdale",
  "Heronsail",
  "Quiverstone",
  "Russetwing",
  "Gorsebright",
  "Driftpenny",
  "Tallowbrook",
  "Silverteasel",
  "Inkbarrow",
  "Greyfinch",
  "Velvetmole",
  "Hazelquay",
  "Foxtallow",
  "Goosequill",
  "Loomwright",
  "Nettlegate",
  "Orchardfold",
  "Siltwater",
  "Umberlane",
  "Violetspire",
  "Barleymote",
  "Elderglass",
  "Jackdawry",
  "Kindlemoor",
  "Moonharrow",
  "Ravelthorn",
  "Appleknoll",
];

export interface NamedRetailer {
  name: string;
  slug: string;
  category: CategoryGrammar;
  trade: Trade;
}

/** Every kind of shop, with its category: forty in all. */
export const allTrades: readonly { category: CategoryGrammar; trade: Trade }[] = allCategories.flatMap((category) =>
  category.trades.map((trade) => ({ category, trade })),
);

/**
 * Names without end, none twice: first the sixty words before the forty trades, then pairs of words ("Otterglen & Foxtallow Books").
 * The trades come round in turn, so that every category gets its share.
 */
export function* inventNames(chance: Random, taken: Set<string>): Generator<NamedRetailer> {
  for (let turn = 0; ; turn++) {
    for (const { category, trade } of chance.sample(allTrades, allTrades.length)) {
      const name = inventName(chance, trade.word, turn < firstWords.length * 0.6, taken);
      const slug = slugOf(name, "retailer");
      taken.add(slug);
      yield { name, slug, category, trade };
    }
  }
}

function inventName(chance: Random, trade: string, plain: boolean, taken: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const name = plain && attempt < 40 ? `${chance.pick(firstWords)} ${trade}` : longerName(chance, trade);
    if (!taken.has(slugOf(name, "")) && !isDenied(name)) return name;
  }
}

function longerName(chance: Random, trade: string): string {
  const [one, two] = chance.sample(firstWords, 2);
  return `${one} & ${two} ${trade}`;
}

export function isDenied(name: string): boolean {
  return deniedNames.has(slugOf(name, ""));
}
