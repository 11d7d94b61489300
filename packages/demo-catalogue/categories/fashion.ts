import type { CategoryGrammar } from "../grammar.ts";

export const womensFashion: CategoryGrammar = {
  slug: "womens-fashion",
  name: "Women’s fashion",
  sector: "Womenswear",
  body: `Clothes for the classroom, the ward, the office and the weekend, from petite to tall and from size 6 to 32. Most of these shops pay more on full-price pieces than on the sale rail, so look at the rates before you fill a basket.

Returns matter here more than anywhere: cashback is worked out on what you keep. Order two sizes if you must, send one back, and the shop will confirm the rest once the return window has closed, usually between five and eleven weeks after you buy.

Codes for first orders often can’t be joined with a seasonal event. Where two offers clash, the better one is usually the percentage on a larger basket and the fixed amount on a small one.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 900 },
  tiers: [
    ["New customers", "Existing customers"],
    ["Full-price clothing", "Sale and outlet"],
    ["Own label", "Other brands"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [35, 75],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [45, 140],
  trades: [
    {
      word: "Wardrobe",
      sells: "dresses, workwear and weekend layers",
      things: [
        "midi dresses £39",
        "linen trousers £42",
        "wrap blouses £32",
        "tailored blazers £75",
        "maternity basics",
        "jersey dresses",
        "wide-leg jeans",
        "occasion wear £79",
        "printed skirts",
        "winter coats £99",
      ],
    },
    {
      word: "Knitwear",
      sells: "lambswool, cotton and merino knits",
      things: [
        "merino jumpers £59",
        "cotton cardigans",
        "lambswool scarves",
        "knitted dresses £55",
        "cashmere blends £89",
        "roll-necks",
        "chunky knits £49",
        "fine-gauge tops",
        "bed socks",
        "ribbed vests",
      ],
    },
  ],
  seasons: ["mid-season event", "capsule edit", "end-of-line sale", "holiday shop weeks", "warm layers week"],
  perks: [
    "hemming on trousers",
    "a style consultation by video",
    "returns from any post office",
    "gift wrapping",
    "a canvas shopper",
  ],
  leavesOut: ["gift cards", "charity tees", "the bridal edit", "guest designers", "made-to-measure pieces"],
  says: [
    "Sizes run from 6 to 24 in three leg lengths, with fit notes written by women who have tried the pieces on.",
    "Each season is cut in small runs, so popular {thing} come back once and then are gone.",
    "Wardrobe> The petite and tall ranges are drawn from scratch, not shortened.",
    "Look for the outlet tab: last season’s {thing2} sit there at a third off.",
  ],
};

export const mensFashion: CategoryGrammar = {
  slug: "mens-fashion",
  name: "Men’s fashion",
  sector: "Menswear",
  body: `Shirts that survive a week of early starts, suits for the interview and the wedding, and the everyday things that wear out first. You will find tailoring, casual labels and a few specialists in big and tall sizes.

Rates tend to be higher for your first order and lower on multi-buy shirts, because those are already discounted. If you buy three shirts at a time, check both: a three-for offer with 3% back can beat a single shirt with 8%.

Shops here confirm cashback once the return window has passed. Made-to-measure orders can’t be returned, so they confirm sooner.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 800 },
  tiers: [
    ["New customers", "Existing customers"],
    ["Suits and tailoring", "Shirts and multi-buys"],
    ["Full price", "Outlet"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [35, 75],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [40, 180],
  trades: [
    {
      word: "Tailors",
      sells: "suits, separates and made-to-measure",
      things: [
        "wool suits £240",
        "linen blazers £120",
        "dinner jackets £180",
        "tweed waistcoats £75",
        "flannel trousers £65",
        "overcoats £170",
        "wedding suits £260",
        "travel suits £220",
        "chinos £39",
        "pocket squares £12",
      ],
    },
    {
      word: "Shirts",
      sells: "cotton shirts, polos and overshirts",
      things: [
        "non-iron shirts",
        "oxford shirts",
        "polo shirts",
        "overshirts",
        "slim-fit shirts",
        "rugby shirts",
        "flannel shirts",
        "white work shirts",
        "short-sleeved shirts",
        "linen shirts",
      ],
    },
  ],
  seasons: [
    "interview season",
    "wedding party event",
    "warehouse clearance",
    "new-collection weeks",
    "wardrobe refresh",
  ],
  perks: [
    "Tailors> trouser shortening",
    "monogramming",
    "Shirts> a set of collar stays",
    "returns within 60 days",
    "a cedar hanger",
  ],
  leavesOut: ["gift cards", "hire wear", "alterations", "limited collaborations", "made-to-measure suits"],
  says: [
    "Shirts> Collars come in half-inch steps and sleeves in three lengths, which saves a trip to the tailor.",
    "Shirts> The non-iron finish is tested to sixty washes, and the shop says so on the label.",
    "Fits are named after what they are: slim, regular, roomy.",
    "Tailors> Measurements are kept on your account, and a tailor rings if two of them look odd.",
    "Fabric samples of {thing} are posted for nothing if you ask.",
    "Tailors> A three-piece in the house cloth starts at less than most two-pieces.",
  ],
};

export const kidsAndBaby: CategoryGrammar = {
  slug: "kids-and-baby",
  name: "Kids & baby",
  sector: "Baby & Toddler",
  body: `Everything that is grown out of before it is worn out: school uniform, first shoes, cots, car seats and the toy that was sold out last week. Nursery furniture earns less in percent and more in pounds, so it is worth a click even at 2%.

Car seats and mattresses usually can’t be returned once unwrapped. Shops confirm those sooner than clothes, which wait for the return window.

Uniform sells out in sizes 9 to 12 by the second week of August. If your school’s colours are unusual, order in July and let the cashback confirm while you are away.`,
  family: "goods",
  rate: { kind: "percent", minBp: 200, maxBp: 700 },
  tiers: [
    ["Clothing and uniform", "Toys and nursery"],
    ["New customers", "Existing customers"],
    ["Toys", "Car seats and pushchairs"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [40, 70],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [25, 160],
  trades: [
    {
      word: "Baby",
      sells: "cots, prams and everything for the first year",
      things: [
        "cot bundles £240",
        "sleepsuits £9",
        "muslin packs £8",
        "nursing pillows £29",
        "baby monitors £69",
        "pushchairs £199",
        "high chairs £79",
        "changing bags £39",
        "moses baskets £55",
        "weaning sets £16",
      ],
    },
    {
      word: "Uniforms",
      sells: "school uniform, PE kit and name labels",
      things: [
        "school shirts £9",
        "pleated skirts £12",
        "PE kits £18",
        "school trousers £13",
        "waterproof coats £32",
        "book bags £8",
        "woven name labels £6",
        "gingham dresses £10",
        "school jumpers £12",
        "football boots £24",
      ],
      also: { "sports-and-outdoors": ["football boots"], "shoes-and-bags": ["book bags"] },
    },
  ],
  seasons: ["back-to-school event", "nursery week", "half-term toy sale", "new arrivals month", "story week"],
  perks: [
    "Uniforms> name labels",
    "Uniforms> delivery to your school",
    "Baby> a growth chart",
    "Baby> a cot mattress trial",
    "Uniforms> hemming in store",
    "Baby> a muslin square",
    "gift wrapping",
  ],
  leavesOut: ["infant formula", "car seats", "gift cards", "school-logo items", "clearance toys"],
  says: [
    "Uniforms> Trousers have let-down hems and shirts an extra button at the waist, so they last two school years.",
    "Baby> Nursery advisers answer the phone until nine in the evening, which is when the questions come.",
    "Outgrown {thing} can be posted back for credit.",
    "Exchanges are free and the second parcel leaves before the first comes back.",
    "Uniforms> The size guide asks for height, not age.",
  ],
};

export const shoesAndBags: CategoryGrammar = {
  slug: "shoes-and-bags",
  name: "Shoes & bags",
  sector: "Shoes",
  body: `Shoes for twelve hours on a hard floor, boots for wet hills and bags that hold a laptop, a lunch and thirty exercise books. Several of these shops make wide fittings and half sizes, and two of them resole what they sell.

Cashback is worked out after returns. If you order two sizes to compare, keep the parcel’s paperwork: the returned pair comes off your total, the kept pair stays.

Work-shoe ranges are sometimes left out of sale codes but still pay cashback at the ordinary rate. The terms on each offer say which.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 800 },
  tiers: [
    ["Own-make footwear", "Other brands"],
    ["New customers", "Existing customers"],
    ["Full price", "Sale"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [40, 70],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [50, 150],
  trades: [
    {
      word: "Boots",
      sells: "walking boots, work boots and trail shoes",
      things: [
        "walking boots £89",
        "work boots £69",
        "trail shoes £65",
        "chelsea boots £79",
        "wellies £35",
        "safety trainers £55",
        "leather laces £6",
        "winter boots £85",
        "slip-resistant shoes £49",
        "hiking sandals £45",
      ],
      also: { "sports-and-outdoors": ["walking boots", "trail shoes", "hiking sandals"] },
    },
    {
      word: "Satchels",
      sells: "satchels, rucksacks and leather goods",
      things: [
        "leather satchels £110",
        "laptop rucksacks £59",
        "tote bags £24",
        "weekend bags £79",
        "card holders £18",
        "messenger bags £65",
        "nurse fob cases £12",
        "school satchels £45",
        "wash bags £19",
        "cabin cases £69",
      ],
      also: { "kids-and-baby": ["school satchels"] },
    },
  ],
  seasons: ["new-term event", "new-boot weeks", "factory seconds sale", "waterproofing week", "stockroom clear-out"],
  perks: [
    "a tin of wax",
    "Boots> resoling on your first pair",
    "Satchels> embossed initials",
    "Boots> a second pair of laces",
    "exchanges for 100 days",
  ],
  leavesOut: ["factory seconds", "gift cards", "repairs", "resoling", "bespoke orders"],
  says: [
    "Boots> Wide and extra-wide fittings cost the same as the standard last.",
    "Boots> Every pair can come back to the workshop to be resoled.",
    "Seconds have a mark on the inside and are a third cheaper.",
    "Satchels> Straps, buckles and linings are replaced for the price of the part.",
    "Satchels> Leather comes from one tannery, and the page for each bag says which hide.",
    "Boots> There is a hundred-day wear test: walk in them outdoors and still send them back.",
  ],
};

export const jewelleryAndWatches: CategoryGrammar = {
  slug: "jewellery-and-watches",
  name: "Jewellery & watches",
  sector: "Jewellery",
  body: `Rings, lockets, watches that can be read in the dark and repairs for the ones you have. Prices are high and so are percentages, so this is where a click is worth the most pounds.

Jewellers wait for resizing and returns before they confirm, so expect seven to thirteen weeks. Bespoke pieces and loose stones often pay a lower rate or none: the tiers say so.

Hallmarks, ring sizes and engraving can hold an order for a week or two. The purchase still counts from the day you paid.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 1000 },
  tiers: [
    ["Silver and gold-plated", "Fine jewellery", "Bespoke and loose stones"],
    ["Own designs", "Watches"],
    ["New customers", "Existing customers"],
    ["Everything"],
  ],
  basis: "on the price without VAT, delivery and engraving",
  tracks: [2, 5],
  confirms: [45, 90],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 420],
  trades: [
    {
      word: "Jewellery",
      sells: "recycled gold and silver, made to order",
      things: [
        "silver lockets £59",
        "stacking rings £25",
        "birthstone pendants £45",
        "hoop earrings £29",
        "engagement rings £690",
        "signet rings £140",
        "charm bracelets £49",
        "pearl studs £39",
        "wedding bands £280",
        "christening gifts £32",
      ],
    },
    {
      word: "Watches",
      sells: "field watches, fob watches and straps",
      things: [
        "field watches £149",
        "fob watches £29",
        "dive watches £320",
        "leather straps £19",
        "dress watches £180",
        "refurbished watches £210",
        "digital watches £25",
        "watch winders £79",
        "travel clocks £24",
        "children’s watches £18",
      ],
      also: { "kids-and-baby": ["children’s watches"] },
    },
  ],
  seasons: ["engagement season", "milestone weeks", "anniversary sale", "cabinet clear-out", "graduation week"],
  perks: [
    "engraving up to 20 letters",
    "Jewellery> ring resizing",
    "a cleaning kit",
    "Watches> a second strap",
    "insured delivery",
  ],
  leavesOut: ["loose diamonds", "bespoke commissions", "repairs", "gift cards", "pre-owned pieces"],
  says: [
    "Jewellery> Rings are resized once for nothing within ninety days.",
    "Jewellery> All the gold is recycled, and the hallmark photograph is on the product page.",
    "Boxes are plain and posted insured, with a signature.",
    "Watches> Fob watches come with a clip that passes infection-control rules: no fabric, no chain.",
    "Watches> Watches are serviced in the same workshop that sells them.",
  ],
};
