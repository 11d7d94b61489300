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
  tiers: [["New customers", "Existing customers"], ["Full-price clothing", "Sale and outlet"], ["Own label", "Other brands"], ["Everything"]],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [35, 75],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [45, 140],
  trades: [
    { word: "Wardrobe", sells: "dresses, workwear and weekend layers", things: ["midi dresses", "linen trousers", "wrap blouses", "tailored blazers", "maternity basics", "jersey dresses", "wide-leg jeans", "occasion wear", "printed skirts", "winter coats"] },
    { word: "Knitwear", sells: "lambswool, cotton and merino knits", things: ["merino jumpers", "cotton cardigans", "lambswool scarves", "knitted dresses", "cashmere blends", "roll-necks", "chunky knits", "fine-gauge tops", "bed socks", "ribbed vests"] },
  ],
  seasons: ["mid-season event", "autumn edit", "end-of-line sale", "holiday shop launch", "winter warmers week"],
  perks: ["hemming on trousers", "a style consultation by video", "returns from any post office", "gift wrapping", "a canvas shopper"],
  leavesOut: ["gift cards", "charity tees", "the bridal edit", "guest designers", "made-to-measure pieces"],
  says: [
    "Sizes run from 6 to 24 in three leg lengths, with fit notes written by women who have tried the pieces on.",
    "Each season is cut in small runs, so popular {thing} come back once and then are gone.",
    "The petite and tall ranges are drawn from scratch, not shortened.",
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
  tiers: [["New customers", "Existing customers"], ["Suits and tailoring", "Shirts and multi-buys"], ["Full price", "Outlet"], ["Everything"]],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [35, 75],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [40, 180],
  trades: [
    { word: "Tailors", sells: "suits, separates and made-to-measure", things: ["wool suits", "linen blazers", "dinner jackets", "tweed waistcoats", "flannel trousers", "overcoats", "wedding suits", "travel suits", "chinos", "pocket squares"] },
    { word: "Shirts", sells: "cotton shirts, polos and overshirts", things: ["non-iron shirts", "oxford shirts", "polo shirts", "overshirts", "slim-fit shirts", "rugby shirts", "flannel shirts", "white work shirts", "short-sleeved shirts", "linen shirts"] },
  ],
  seasons: ["interview season", "summer wedding event", "warehouse clearance", "new collection launch", "January refresh"],
  perks: ["trouser shortening", "monogramming", "a spare set of collar stays", "returns within 60 days", "a cedar hanger"],
  leavesOut: ["gift cards", "hire wear", "alterations", "limited collaborations", "made-to-measure suits"],
  says: [
    "Collars come in half-inch steps and sleeves in three lengths, which saves a trip to the tailor.",
    "The non-iron finish is tested to sixty washes, and the shop says so on the label.",
    "Fabric samples of {thing} are posted for nothing if you ask.",
    "A three-piece in the house cloth starts at less than most two-pieces.",
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
  tiers: [["Clothing and uniform", "Toys and nursery"], ["New customers", "Existing customers"], ["Toys", "Car seats and pushchairs"], ["Everything"]],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [40, 70],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [25, 160],
  trades: [
    { word: "Baby", sells: "cots, prams and everything for the first year", things: ["cot bundles", "sleepsuits", "muslin packs", "nursing pillows", "baby monitors", "pushchairs", "high chairs", "changing bags", "moses baskets", "weaning sets"] },
    { word: "Uniforms", sells: "school uniform, PE kit and name labels", things: ["school shirts", "pleated skirts", "PE kits", "school trousers", "waterproof coats", "book bags", "woven name labels", "gingham dresses", "school jumpers", "football boots"] },
  ],
  seasons: ["back-to-school event", "nursery week", "half-term toy sale", "new arrivals month", "World Book Day edit"],
  perks: ["name labels", "delivery to your school", "a growth chart", "a 90-night cot mattress trial", "hemming in store"],
  leavesOut: ["infant formula", "car seats", "gift cards", "school-logo items", "clearance toys"],
  says: [
    "Trousers have let-down hems and shirts an extra button at the waist, so they last two school years.",
    "Nursery advisers answer the phone until nine in the evening, which is when the questions come.",
    "Outgrown {thing} can be posted back for credit.",
    "The size guide asks for height, not age, and exchanges are free.",
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
  tiers: [["Own-make footwear", "Other brands"], ["New customers", "Existing customers"], ["Full price", "Sale"], ["Everything"]],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [40, 70],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [50, 150],
  trades: [
    { word: "Boots", sells: "walking boots, work boots and trail shoes", things: ["walking boots", "work boots", "trail shoes", "chelsea boots", "wellies", "safety trainers", "leather laces", "winter boots", "slip-resistant shoes", "hiking sandals"] },
    { word: "Satchels", sells: "satchels, rucksacks and leather goods", things: ["leather satchels", "laptop rucksacks", "tote bags", "weekend bags", "card holders", "messenger bags", "nurse fob cases", "school satchels", "wash bags", "cabin cases"] },
  ],
  seasons: ["new-term event", "boot season launch", "factory seconds sale", "waterproofing week", "spring clear-out"],
  perks: ["a tin of wax", "resoling on your first pair", "embossed initials", "a second pair of laces", "exchanges for 100 days"],
  leavesOut: ["factory seconds", "gift cards", "repairs", "resoling", "bespoke orders"],
  says: [
    "Wide and extra-wide fittings cost the same as the standard last.",
    "Every pair of {thing} can come back to the workshop to be resoled.",
    "Leather comes from one tannery, and the page for each bag says which hide.",
    "There is a hundred-day wear test: walk in them outdoors and still send them back.",
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
  tiers: [["Silver and gold-plated", "Fine jewellery", "Bespoke and loose stones"], ["Own designs", "Watches"], ["New customers", "Existing customers"], ["Everything"]],
  basis: "on the price without VAT, delivery and engraving",
  tracks: [2, 5],
  confirms: [45, 90],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 420],
  trades: [
    { word: "Jewellery", sells: "recycled gold and silver, made to order", things: ["silver lockets", "stacking rings", "birthstone pendants", "hoop earrings", "engagement rings", "signet rings", "charm bracelets", "pearl studs", "wedding bands", "christening gifts"] },
    { word: "Watches", sells: "field watches, fob watches and straps", things: ["field watches", "fob watches", "dive watches", "leather straps", "dress watches", "refurbished watches", "digital watches", "watch winders", "travel clocks", "children’s watches"] },
  ],
  seasons: ["engagement season", "Mother’s Day edit", "anniversary sale", "new-year clear-out", "graduation gifts week"],
  perks: ["engraving up to 20 letters", "ring resizing", "a cleaning kit", "a second strap", "insured delivery"],
  leavesOut: ["loose diamonds", "bespoke commissions", "repairs", "gift cards", "pre-owned pieces"],
  says: [
    "Rings are resized once for nothing within ninety days.",
    "All the gold is recycled, and the hallmark photograph is on the product page.",
    "Fob watches come with a clip that passes infection-control rules: no fabric, no chain.",
    "Watches are serviced in the same workshop that sells them.",
  ],
};
