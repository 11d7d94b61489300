import { slugOf } from "@farthing/core/catalogue-imports/slug.ts";
import { allCategories } from "./categories/all-categories.ts";
import type { CategoryGrammar, Trade } from "./grammar.ts";
import { deniedNames } from "./denied-names.ts";
import type { Random } from "@farthing/art/random.ts";

/**
 * Sixty made-up first words. Each joins two words; none is a town or a brand (a test checks them against denied-names.ts).
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

/** The forty trades, each with its category. */
export const allTrades: readonly { category: CategoryGrammar; trade: Trade }[] = allCategories.flatMap((category) =>
  category.trades.map((trade) => ({ category, trade })),
);

/**
 * Generates any number of distinct names: first the sixty words with the forty trades, then pairs of words ("Otterglen & Foxtallow Books"). Trades take turns,
 * so that every category gets its share.
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
