import { good, type Sector } from "./sector.ts";

/** Sectors of clothing. */
export const wear: readonly Sector[] = [
  {
    name: "Shoes and bags",
    match: /\bshoe|\bboots?\b|\bbags?\b|footwear|trainer|luggage/i,
    strapline: "Made to be walked in",
    named: true,
    goods: {
      Boots: [
        good("ankle boot", "boot", 75, 145),
        good("walking boot", "boot", 95, 170),
        good("wellington", "boot", 38, 75),
      ],
      Shoes: [
        good("canvas trainer", "shoe", 42, 70),
        good("leather trainer", "shoe", 75, 120),
        good("brogue", "shoe", 95, 165),
        good("slipper", "shoe", 24, 42),
        good("work shoe", "shoe", 58, 92),
      ],
      Bags: [good("satchel", "bag", 85, 160), good("tote", "bag", 32, 68), good("backpack", "bag", 48, 98)],
      Care: [good("wax and cloth", "jar", 8, 14)],
    },
  },
  {
    name: "Jewellery and watches",
    match: /jewel|\bwatch|\bgems?\b|\brings?\b/i,
    strapline: "Small things, made slowly",
    named: true,
    goods: {
      Rings: [
        good("silver band", "ring", 42, 88),
        good("gold vermeil ring", "ring", 75, 140),
        good("signet ring", "ring", 95, 210),
        good("garnet ring", "ring", 120, 260),
        good("cufflinks", "ring", 38, 72),
      ],
      Necklaces: [
        good("chain necklace", "necklace", 48, 96),
        good("pendant", "necklace", 55, 130),
        good("pearl drop", "necklace", 68, 150),
      ],
      Watches: [
        good("field watch", "watch", 95, 190),
        good("dress watch", "watch", 140, 320),
        good("watch strap", "watch", 22, 42),
      ],
      Care: [good("polishing cloth", "jar", 6, 12)],
    },
  },
  {
    name: "Glasses and hearing",
    match: /optic|glasses|hearing|eyewear|\blens/i,
    strapline: "See and hear the difference",
    named: true,
    goods: {
      Glasses: [
        good("round frame", "glasses", 59, 129),
        good("square frame", "glasses", 69, 139),
        good("half-rim frame", "glasses", 79, 149),
        good("reading glasses", "glasses", 18, 32),
        good("children's frame", "glasses", 39, 69),
      ],
      "Sun and swim": [good("sunglasses", "glasses", 49, 119), good("swim goggles to prescription", "glasses", 32, 48)],
      Lenses: [
        good("daily lenses, 30 pairs", "jar", 24, 38),
        good("monthly lenses, 3 pairs", "jar", 22, 34),
        good("lens solution", "bottle", 7, 12),
      ],
      "Hearing and care": [good("hearing aid batteries", "jar", 6, 11), good("glasses case", "box", 9, 18)],
    },
  },
  {
    name: "Men's fashion",
    match: /\bmen|tailor|\bsuits?\b|\bshirts?\b/i,
    strapline: "Cut well, worn often",
    named: true,
    goods: {
      Tailoring: [
        good("two-piece suit", "coat", 180, 360),
        good("blazer", "coat", 110, 220),
        good("wool overcoat", "coat", 150, 290),
      ],
      "Shirts and knits": [
        good("oxford shirt", "shirt", 38, 72),
        good("linen shirt", "shirt", 42, 78),
        good("lambswool jumper", "shirt", 52, 95),
        good("polo shirt", "shirt", 26, 45),
      ],
      Trousers: [good("chino", "trousers", 42, 75), good("selvedge jean", "trousers", 65, 115)],
      Accessories: [
        good("silk tie", "tie", 24, 48),
        good("leather belt", "belt", 28, 52),
        good("five socks", "sock", 18, 32),
      ],
    },
  },
  {
    name: "Fashion",
    match: /fashion|cloth|women|apparel|petite|\bdress|lingerie|\bwear\b/i,
    strapline: "New in, and here to stay",
    named: true,
    goods: {
      Dresses: [
        good("wrap dress", "dress", 48, 95),
        good("linen dress", "dress", 55, 110),
        good("shirt dress", "dress", 52, 92),
        good("pleated skirt", "dress", 38, 68),
      ],
      Tops: [
        good("merino jumper", "shirt", 48, 88),
        good("striped top", "shirt", 22, 38),
        good("silk blouse", "shirt", 58, 98),
      ],
      Trousers: [good("wide-leg trouser", "trousers", 45, 78), good("straight jean", "trousers", 48, 82)],
      Coats: [good("wool coat", "coat", 130, 260), good("rain mac", "coat", 78, 140), good("scarf", "scarf", 22, 48)],
    },
  },
  {
    name: "Kids and baby",
    match: /\bkids?\b|\bbab(y|ies)\b|child|\btoys?\b|nursery|maternity|school/i,
    strapline: "For small people and tired ones",
    named: true,
    goods: {
      Play: [
        good("wooden train", "toy", 18, 34),
        good("building blocks", "toy", 16, 30),
        good("soft hare", "toy", 14, 26),
        good("picture book", "book", 6, 11),
      ],
      Wear: [
        good("romper", "shirt", 14, 26),
        good("school jumper", "shirt", 10, 18),
        good("rain coat", "coat", 24, 44),
      ],
      Sleep: [good("sleep bag", "shirt", 22, 38), good("cot", "bed", 129, 260), good("night light", "lamp", 18, 34)],
      "Out and about": [good("pushchair", "pram", 189, 420), good("lunch box", "box", 9, 16)],
    },
  },
];
