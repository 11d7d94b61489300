import type { CategoryGrammar } from "../grammar.ts";

export const healthAndBeauty: CategoryGrammar = {
  slug: "health-and-beauty",
  name: "Health & beauty",
  sector: "Health & Beauty",
  body: `Chemists, skincare, hair, vitamins and the hand cream you go through by the tube. Rates are among the better ones and confirm within a month or two, because little comes back.

Medicines are treated differently from everything else: prescription and pharmacy-only lines never pay cashback, and some codes leave them out too. Add them to the same basket if you like; only the rest is counted.

Subscriptions usually pay on the first parcel. If you plan to stay, take the introductory code now and the cashback with it, then set the interval yourself.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 1000 },
  tiers: [
    ["Own brand", "Other brands"],
    ["New customers", "Existing customers"],
    ["Skincare and cosmetics", "Vitamins and electricals"],
    ["Everything"],
  ],
  basis: "on the price without VAT, delivery and prescriptions",
  tracks: [1, 2],
  confirms: [30, 60],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [20, 75],
  trades: [
    {
      word: "Chemist",
      sells: "everyday medicines, vitamins and toiletries",
      things: [
        "vitamins £6",
        "sun cream £8",
        "hand cream £4",
        "first-aid kits £12",
        "electric toothbrushes £35",
        "hay fever tablets £5",
        "baby toiletries £3",
        "compression socks £14",
        "hair clippers £25",
        "travel minis £2",
      ],
    },
    {
      word: "Skincare",
      sells: "cleansers, serums and balms made in small batches",
      things: [
        "facial oils £19",
        "night creams £24",
        "cleansing balms £16",
        "body washes £8",
        "shampoo bars £7",
        "lip balms £4",
        "gift sets £22",
        "vitamin C serums £21",
        "bath salts £9",
        "fragrance-free lotions £11",
      ],
    },
  ],
  seasons: ["self-care week", "skin event", "3 for 2 weeks", "gift set weeks", "wellness month"],
  perks: [
    "a travel-size balm",
    "Chemist> a pharmacist’s advice",
    "samples with every order",
    "gift wrapping",
    "a wash bag",
  ],
  leavesOut: ["prescriptions", "pharmacy medicines", "gift cards", "infant milk", "fragrance"],
  says: [
    "Chemist> A pharmacist is on chat from eight to eight, Sundays too.",
    "Ingredients are listed in plain English beside the Latin.",
    "Skincare> Refill pouches of {thing} cost a fifth less than the bottle.",
    "Everything is fragrance-free unless it says otherwise, which wards and classrooms are glad of.",
  ],
};

export const glassesAndHearing: CategoryGrammar = {
  slug: "glasses-and-hearing",
  name: "Glasses & hearing",
  sector: "Opticians",
  body: `Glasses, contact lenses, sunglasses and hearing aids, online and in branches. Eye tests themselves don’t earn cashback; what you buy afterwards does.

If your employer gives you a voucher for screen work, you can usually use it and still earn on what you pay yourself. Lenses and coatings count, insurance and care plans don’t.

Varifocals and hearing aids come with trial periods, so cashback is confirmed when the trial has ended: count on two to three months.`,
  family: "goods",
  rate: { kind: "percent", minBp: 400, maxBp: 800 },
  tiers: [
    ["Glasses", "Contact lenses"],
    ["First pair", "Further pairs"],
    ["Hearing aids", "Accessories and batteries"],
    ["Everything"],
  ],
  basis: "on the price without VAT, eye tests and care plans",
  tracks: [2, 7],
  confirms: [45, 90],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 320],
  trades: [
    {
      word: "Optics",
      sells: "glasses, contact lenses and prescription sunglasses",
      things: [
        "varifocals £129",
        "blue-light glasses £39",
        "prescription sunglasses £69",
        "daily lenses £19",
        "reading glasses £15",
        "children’s frames £29",
        "titanium frames £99",
        "safety glasses £49",
        "sports goggles £59",
        "lens cleaning kits £7",
      ],
    },
    {
      word: "Hearing",
      sells: "hearing aids, ear protection and listening devices",
      things: [
        "hearing aids £495",
        "ear defenders £19",
        "moulded ear plugs £49",
        "hearing aid batteries £6",
        "amplified phones £45",
        "TV listeners £119",
        "swim plugs £9",
        "rechargeable aids £895",
        "vibrating alarm clocks £35",
        "concert plugs £16",
      ],
    },
  ],
  seasons: ["sight-test month", "style weeks", "second-pair event", "check-up month", "frame clearance"],
  perks: [
    "Optics> thin lenses",
    "Optics> a home trial",
    "Optics> anti-glare coating",
    "Hearing> a hearing check",
    "Hearing> a year of batteries",
    "adjustments for life",
  ],
  leavesOut: ["eye tests", "contact lens subscriptions", "care plans", "designer frames", "hearing assessments"],
  says: [
    "Optics> Try four frames at home for five days, post them back, and choose without a mirror that isn’t yours.",
    "Optics> Prices on the page include scratch-resistant single-vision lenses.",
    "Hearing> Aids can be tried for sixty days at work and at home before you decide.",
    "Appointments run from seven in the morning, and on Sundays in the larger branches.",
    "Repairs are done in the branch while you wait.",
    "Hearing> Audiologists are registered and their names are on the branch pages.",
    "Optics> Frames are adjusted for nothing in any branch, for as long as you have them.",
  ],
};

export const foodAndDrink: CategoryGrammar = {
  slug: "food-and-drink",
  name: "Food & drink at home",
  sector: "Food & Drink",
  body: `Veg boxes, recipe kits, coffee beans, grocers and wine. New customers earn a fixed sum or a high rate once; after that rates are small but the shop is weekly.

Boxes can be skipped or stopped. Cashback on a first box is confirmed after the second would have been packed, so leave the account open until then, even if you skip.

Wine, beer and spirits are sold to people of 18 and over, and the courier will ask. Those offers are marked, and are hidden from brands whose members are younger.`,
  family: "food",
  rate: { kind: "percent", minBp: 100, maxBp: 500 },
  tiers: [
    ["First order", "Later orders"],
    ["Subscriptions", "One-off orders"],
    ["New customers", "Existing customers"],
    ["Everything"],
  ],
  basis: "on the price without delivery and deposits",
  tracks: [1, 5],
  confirms: [30, 60],
  confirmsAfter: "purchase",
  hasStores: false,
  basket: [25, 80],
  trades: [
    {
      word: "Veg",
      sells: "seasonal vegetable and fruit boxes",
      things: [
        "medium veg boxes £16",
        "fruit boxes £14",
        "salad boxes £11",
        "soup boxes £13",
        "small veg boxes £12",
        "orchard boxes £15",
        "recipe boxes £32",
        "egg and dairy add-ons £6",
        "bread subscriptions £9",
        "juicing boxes £18",
      ],
    },
    {
      word: "Wines",
      sells: "wine from small growers, by the mixed case",
      things: [
        "mixed cases £79",
        "English sparkling wine £24",
        "natural reds £14",
        "summer rosés £10",
        "tasting cases £59",
        "magnums £29",
        "dessert wines £13",
        "low-alcohol wines £8",
        "vegan wines £9",
        "party cases £89",
      ],
      adultsOnly: true,
    },
  ],
  seasons: ["harvest month", "soup season", "big-order week", "batch-cooking weeks", "British food fortnight"],
  perks: [
    "Veg> a jar of chutney",
    "Veg> a recipe book",
    "Wines> a corkscrew",
    "Wines> a set of tasting notes",
    "a tote bag",
  ],
  leavesOut: ["bottle deposits", "gift vouchers", "delivery passes", "tobacco", "charity add-ons"],
  says: [
    "Veg> Boxes are packed the night before and the crate is collected and used again.",
    "Veg> Growers are named on the list in every box, with the miles their {thing} came.",
    "Wines> Every grower has been visited, and the notes say what the weather did that year.",
    "Wines> A bottle you don’t like is paid back, with no need to send it anywhere.",
    "Skip a week until noon two days before, without ringing anyone.",
    "Nothing is flown, and what is left over goes to a food bank in the same town.",
  ],
};

export const eatingOut: CategoryGrammar = {
  slug: "eating-out",
  name: "Eating out & takeaway",
  sector: "Restaurants",
  body: `Pizza after parents’ evening, coffee before handover and a pub lunch on the one Sunday off. Most of these are codes to show or digital IDs to scan, because restaurants rarely sell online.

Where cashback is paid, it is on gift cards or on orders through the restaurant’s own site, and it is instant. Delivery apps have their own terms and don’t count.

Offers for large tables and for school holidays tend to be left out at weekends. Look at the terms before you promise it to eight colleagues.`,
  family: "dining",
  rate: { kind: "percent", minBp: 300, maxBp: 1000 },
  tiers: [["Gift cards", "Online orders"], ["Click and collect", "Delivery"], ["Everything"]],
  basis: "on the price without delivery, service and tips",
  tracks: [0, 1],
  confirms: [0, 1],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [15, 70],
  trades: [
    {
      word: "Kitchen",
      sells: "small plates, Sunday roasts and a proper pudding list",
      things: [
        "Sunday roasts £16",
        "set lunches £15",
        "small plates £6",
        "brunch £9",
        "early suppers £14",
        "cream teas £9",
        "sharing boards £18",
        "children’s meals £6",
        "midweek dinners £17",
        "puddings £6",
      ],
    },
    {
      word: "Pizza",
      sells: "sourdough pizza, to eat in or take home",
      things: [
        "sourdough pizzas £9",
        "lunch pizzas £7",
        "garlic bread £4",
        "family bundles £28",
        "bake-at-home kits £12",
        "dough balls £4",
        "gluten-free bases £10",
        "vegan pizzas £9",
        "sides £3",
        "soft drinks £2",
      ],
    },
  ],
  seasons: ["school holidays", "quiet fortnight", "match-night weeks", "exam weeks", "half-term week"],
  perks: [
    "coffee with breakfast",
    "Pizza> dough balls",
    "a pudding on your birthday",
    "a soft drink refill",
    "corkage on Tuesdays",
  ],
  leavesOut: ["Saturdays", "set menus", "alcohol", "delivery apps", "bank holidays"],
  says: [
    "Tables for one are not put by the door.",
    "The menu is short, changes on the first of the month and says what is in everything.",
    "Children’s meals are small versions of the real ones.",
    "Blue-light and late-shift tables are held until ten on weeknights.",
  ],
};

export const booksLearningAndGifts: CategoryGrammar = {
  slug: "books-learning-and-gifts",
  name: "Books, learning & gifts",
  sector: "Books & Gifts",
  body: `Books, flowers, stationery, courses and presents that arrive on time. Courses pay the highest rates, because there is nothing to post; books pay less but add up by the end of a school year.

Set texts and class sets can be bought on a personal card and still earn. Orders on a school account, with an invoice, do not.

Flowers are confirmed a month after delivery, courses after the cooling-off time of fourteen days. Personalised gifts can’t come back, so they are quick.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 1200 },
  tiers: [
    ["Courses", "Books and stationery"],
    ["New customers", "Existing customers"],
    ["Bouquets", "Plants and gifts"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [30, 60],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [18, 70],
  trades: [
    {
      word: "Books",
      sells: "new books, signed editions and stationery",
      things: [
        "paperbacks £6",
        "signed first editions £18",
        "picture books £5",
        "cookery books £12",
        "class sets £69",
        "notebooks £5",
        "fountain pens £22",
        "audiobooks £7",
        "exam guides £8",
        "wall planners £9",
      ],
    },
    {
      word: "Flowers",
      sells: "letterbox flowers, bouquets and house plants",
      things: [
        "letterbox flowers £22",
        "hand-tied bouquets £32",
        "house plants £15",
        "dried flowers £25",
        "sympathy flowers £39",
        "British tulips £18",
        "monthly flowers £24",
        "planted pots £19",
        "wreaths £35",
        "gift hampers £38",
      ],
    },
  ],
  seasons: [
    "story week",
    "thank-a-teacher week",
    "card-writing weeks",
    "say-it-with-flowers week",
    "holiday reading weeks",
  ],
  perks: [
    "Books> a bookmark set",
    "a handwritten card",
    "Flowers> a vase",
    "Books> gift wrapping",
    "named-day delivery",
  ],
  leavesOut: ["school accounts", "book tokens", "e-readers", "same-day delivery", "second-hand books"],
  says: [
    "Books> Booksellers write the little cards, and you can ask one a question by name.",
    "Flowers> Stems are cut in the morning and in the post by four.",
    "Books> Class sets of {thing} are discounted from the fifteenth copy.",
    "Orders placed before two leave the same day, with a photograph of the parcel.",
    "Messages on gift cards can be as long as you like; someone writes them by hand.",
  ],
};

export const sportsAndOutdoors: CategoryGrammar = {
  slug: "sports-and-outdoors",
  name: "Sports & outdoors",
  sector: "Sports Equipment",
  body: `Bikes, tents, running shoes, gym kit and waterproofs that are. Rates are fair and returns are common, so confirmation waits until about ten weeks.

Cycle-to-work orders go through your employer’s scheme and don’t earn cashback. Clothing and accessories bought beside them, in a basket of their own, do.

Gym memberships pay once, after the second month’s fee. Freeze the membership later and you keep it.`,
  family: "goods",
  rate: { kind: "percent", minBp: 300, maxBp: 900 },
  tiers: [
    ["Clothing and accessories", "Bikes"],
    ["Own brand", "Other brands"],
    ["New customers", "Existing customers"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [40, 75],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [35, 300],
  trades: [
    {
      word: "Cycles",
      sells: "commuter bikes, parts and wet-weather kit",
      things: [
        "commuter bikes £349",
        "folding bikes £429",
        "bike lights £19",
        "pannier bags £39",
        "winter gloves £22",
        "puncture-proof tyres £24",
        "helmets £35",
        "children’s bikes £139",
        "e-bikes £999",
        "service kits £18",
      ],
    },
    {
      word: "Outdoor",
      sells: "tents, waterproofs and hill-walking kit",
      things: [
        "waterproof jackets £79",
        "family tents £249",
        "sleeping bags £59",
        "walking poles £32",
        "base layers £25",
        "head torches £19",
        "camping stoves £45",
        "fleece jackets £39",
        "rucksacks £55",
        "running vests £29",
      ],
    },
  ],
  seasons: ["ride-to-work month", "expedition kit event", "camp kit sale", "dark-evenings event", "get-going week"],
  perks: ["Cycles> a first service", "a repair kit", "Outdoor> reproofing", "Cycles> fitting", "Cycles> a lock"],
  leavesOut: ["cycle-to-work orders", "e-bikes", "gift cards", "sat-navs", "workshop labour"],
  says: [
    "Cycles> Bikes leave the workshop built and checked, with only the pedals to turn.",
    "Outdoor> Jackets are tested on the hill behind the warehouse, which is wet.",
    "Repairs in the first year cost the price of the parts and nothing else.",
    "Kit for leaders and instructors is priced the same as for everyone: low.",
  ],
};

export const motoring: CategoryGrammar = {
  slug: "motoring",
  name: "Motoring",
  sector: "Motoring",
  body: `Tyres, MOTs, parts, breakdown cover and hire cars for when yours is in the garage. Fitted work counts from the day it is done, not the day you book.

Hire is confirmed after the car is back and the deposit released. Fuel, excess cover bought at the desk and fines don’t earn anything, you will be glad to hear.

Tyre prices usually include fitting, valves and disposal. If a shop quotes without, the code may apply to the tyre only: compare the sum at the end.`,
  family: "motoring",
  rate: { kind: "percent", minBp: 200, maxBp: 600 },
  tiers: [["Premium tyres", "Budget tyres"], ["UK hire", "Hire abroad"], ["Servicing", "Parts"], ["Everything"]],
  basis: "on the price without VAT and fitting",
  tracks: [2, 5],
  confirms: [45, 90],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 340],
  trades: [
    {
      word: "Tyres",
      sells: "tyres, MOTs and servicing at home or in the bay",
      things: [
        "all-season tyres £58",
        "winter tyres £64",
        "MOTs £39",
        "full services £129",
        "brake pads £69",
        "batteries £79",
        "wheel alignment £35",
        "wiper blades £14",
        "roof bars £89",
        "air-con recharges £55",
      ],
    },
    {
      word: "Hire",
      sells: "cars, vans and minibuses by the day",
      things: [
        "weekend car hire £49",
        "van hire £42",
        "minibus hire £89",
        "airport collections £35",
        "electric cars £55",
        "seven-day hire £149",
        "one-way hire £59",
        "child seats £12",
        "automatic cars £45",
        "excess cover £5",
      ],
    },
  ],
  seasons: ["safety check week", "MOT season", "bank holiday weekend", "half-term week", "road-trip sale"],
  perks: [
    "Tyres> a 20-point check",
    "Tyres> tyre disposal",
    "Hire> a second driver",
    "Tyres> a screen wash top-up",
    "Hire> collection from the station",
  ],
  leavesOut: ["fleet accounts", "run-flat tyres", "excess cover", "fuel", "airport fees"],
  says: [
    "Tyres> Fitters come to the school car park, the hospital or your drive, and text when they are near.",
    "Tyres> The price on the screen is the price in the bay: fitted, balanced and taxed.",
    "Bookings can be moved without a charge until the evening before.",
    "Branches open at seven, which is before most shifts.",
    "Hire> Vans have a phone number inside that is answered by people who drive them.",
    "Hire> Late-return grace is an hour, because shifts overrun.",
  ],
};
