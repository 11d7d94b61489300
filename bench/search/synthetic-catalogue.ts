/** Generates a catalogue of any size, the same for the same numbers, with so many different words that a typo has many neighbours. */

export interface SyntheticRetailer {
  id: string;
  name: string;
  slug: string;
  category: number;
  popularity: number;
  shortInfo: string;
}

export interface SyntheticOffer {
  id: string;
  publicId: string;
  retailer: number;
  title: string;
  headline: string;
  description: string;
  popularity: number;
  endsInDays: number;
}

export interface SyntheticCatalogue {
  categories: { id: string; name: string; slug: string }[];
  retailers: SyntheticRetailer[];
  offers: SyntheticOffer[];
}

const FIRSTS =
  "fern brass quill salt hob penny lark tarn moss blue copper harbour pebble gilden thistle amber wicker juniper otter sorrel bramble candle drift elder flint gorse hazel ivory jasper kestrel linden marsh nettle oaken pine quarry raven silver timber umber velvet willow yarrow zephyr alder birch cinder dapple ember foxglove granite heather indigo jackdaw knoll lantern meadow north orchard plover rowan sedge teasel under vale wren".split(
    " ",
  );
const SECONDS =
  "hollow lark moor meadow nettle whistle span side gate bottle wren light back row crate croft line field brook stone bridge ford haven mill thorn well wick worth cliff dale den fell garth holm ley march ness pool reach shaw".split(
    " ",
  );
const TRADES =
  "boots kitchen books breaks tools pets mobile optics sofas broadband jewellery insurance cycles chemist bakery cinemas baby living tailors gardens bedding flooring lighting travel coffee wines flowers stationery toys fitness tyres energy campers ceramics spectacles electricals menswear trainers skincare".split(
    " ",
  );

const CATEGORIES: { name: string; products: string[] }[] = [
  {
    name: "Women's fashion",
    products: ["dresses", "knitwear", "maternity jeans", "linen blouses", "petite coats", "evening gowns"],
  },
  { name: "Men's fashion", products: ["suits", "casual shirts", "chinos", "wool jumpers", "waistcoats", "overcoats"] },
  {
    name: "Kids & baby",
    products: ["pushchairs", "school uniform", "wooden toys", "car seats", "cot mattresses", "sleepsuits"],
  },
  {
    name: "Shoes & bags",
    products: ["walking boots", "trainers", "leather satchels", "work shoes", "rucksacks", "sandals"],
  },
  {
    name: "Jewellery & watches",
    products: ["engagement rings", "pendants", "chronographs", "silver bracelets", "pearl earrings"],
  },
  {
    name: "Health & beauty",
    products: ["skincare", "shampoo", "vitamins", "electric toothbrushes", "perfume", "sunscreen"],
  },
  {
    name: "Glasses & hearing",
    products: ["prescription glasses", "contact lenses", "hearing aids", "sunglasses", "varifocals"],
  },
  {
    name: "Food & drink at home",
    products: ["recipe boxes", "organic vegetables", "red wine", "craft beer", "coffee beans", "cheese hampers"],
  },
  { name: "Eating out & takeaway", products: ["pizza", "sunday roasts", "burgers", "afternoon tea", "sushi", "curry"] },
  {
    name: "Home & furniture",
    products: ["corner sofas", "mattresses", "oak tables", "curtains", "wardrobes", "bookcases", "armchairs"],
  },
  {
    name: "DIY & garden",
    products: ["garden sheds", "cordless drills", "paint", "lawnmowers", "greenhouses", "patio heaters"],
  },
  {
    name: "Electronics & appliances",
    products: ["laptops", "washing machines", "headphones", "televisions", "tablets", "kettles"],
  },
  { name: "Mobile & broadband", products: ["SIM only plans", "full fibre broadband", "handsets", "roaming bundles"] },
  {
    name: "Energy, insurance & money",
    products: ["car insurance", "pet insurance", "boiler cover", "travel insurance", "home insurance"],
  },
  {
    name: "Holidays & flights",
    products: ["villa holidays", "city breaks", "cruises", "ski trips", "airport parking"],
  },
  {
    name: "Hotels & UK breaks",
    products: ["lodges", "campsites", "spa weekends", "seaside cottages", "glamping pods"],
  },
  {
    name: "Days out & cinema",
    products: ["theme park tickets", "cinema tickets", "theatre seats", "zoo passes", "museum entry"],
  },
  { name: "Motoring", products: ["winter tyres", "MOT tests", "van hire", "dash cameras", "roof boxes"] },
  {
    name: "Sports & outdoors",
    products: ["gym memberships", "mountain bikes", "tents", "yoga mats", "running shoes", "wetsuits"],
  },
  {
    name: "Books, learning & gifts",
    products: ["paperbacks", "language courses", "birthday flowers", "fountain pens", "photo albums"],
  },
];

const PATTERNS = [
  (product: string, percent: number) => ({ title: `${percent}% off ${product}`, headline: `${percent}% off` }),
  (product: string, percent: number) => ({
    title: `£${percent} off ${product} when you spend £${percent * 6}`,
    headline: `£${percent} off`,
  }),
  (product: string) => ({ title: `Free next day delivery on ${product}`, headline: "Free delivery" }),
  (product: string, percent: number) => ({
    title: `Up to ${percent}% off selected ${product} in the winter clearance`,
    headline: `Up to ${percent}% off`,
  }),
  (product: string) => ({ title: `Three for two on all ${product}`, headline: "3 for 2" }),
  (product: string, percent: number) => ({
    title: `New customers save ${percent}% on their first order of ${product}`,
    headline: `${percent}% off`,
  }),
  (product: string, percent: number) => ({
    title: `Members' exclusive: extra ${percent}% off sale ${product}`,
    headline: `Extra ${percent}% off`,
  }),
];

export function makeCatalogue({
  retailers,
  offers,
  seed = 20_261_120,
}: {
  retailers: number;
  offers: number;
  seed?: number;
}): SyntheticCatalogue {
  const random = mulberry32(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const categories = CATEGORIES.map(({ name }, index) => ({ id: uuidOf(3, index), name, slug: slugOf(name) }));
  const names = new Set<string>();
  while (names.size < retailers) names.add(`${capital(pick(FIRSTS))}${pick(SECONDS)} ${capital(pick(TRADES))}`);
  const made = [...names].map((name, index): SyntheticRetailer => {
    const category = below(CATEGORIES.length);
    return {
      id: uuidOf(1, index),
      name,
      slug: slugOf(name),
      category,
      popularity: skewed(random),
      shortInfo: `${name} sells ${pick(CATEGORIES[category]!.products)} and ${pick(CATEGORIES[category]!.products)} to people all over the country.`,
    };
  });
  return {
    categories,
    retailers: made,
    offers: Array.from({ length: offers }, (_, index): SyntheticOffer => {
      const retailer = index % retailers;
      const products = CATEGORIES[made[retailer]!.category]!.products;
      const product = pick(products);
      return {
        id: uuidOf(2, index),
        publicId: `o${index.toString(36).padStart(8, "0")}`,
        retailer,
        ...pick(PATTERNS)(product, 5 * (1 + below(14))),
        description: `Use this at ${made[retailer]!.name} for ${product} or ${pick(products)}. One use per household while stocks last.`,
        popularity: skewed(random),
        endsInDays: 1 + below(90),
      };
    }),
  };
}

/** Returns a popularity: few are popular and most are not. */
function skewed(random: () => number): number {
  return Math.floor(1_000 * random() ** 4);
}

/** Returns a seeded random number generator (Tommy Ettinger's mulberry32), for the same catalogue on every machine. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function uuidOf(kind: number, index: number): string {
  return `0000000${kind}-0000-7000-8000-${index.toString(16).padStart(12, "0")}`;
}
function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/'/g, "")
    .replace(/[^a-z0-9]+/g, "-");
}
