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
  tiers: [["Own brand", "Other brands"], ["New customers", "Existing customers"], ["Skincare and cosmetics", "Vitamins and electricals"], ["Everything"]],
  basis: "on the price without VAT, delivery and prescriptions",
  tracks: [1, 2],
  confirms: [30, 60],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [20, 75],
  trades: [
    { word: "Chemist", sells: "everyday medicines, vitamins and toiletries", things: ["vitamins", "sun cream", "hand cream", "first-aid kits", "electric toothbrushes", "hay fever tablets", "baby toiletries", "compression socks", "hair clippers", "travel minis"] },
    { word: "Skincare", sells: "cleansers, serums and balms made in small batches", things: ["facial oils", "night creams", "cleansing balms", "body washes", "shampoo bars", "lip balms", "gift sets", "vitamin C serums", "bath salts", "fragrance-free lotions"] },
  ],
  seasons: ["self-care week", "summer skin event", "3 for 2 season", "Christmas gift set launch", "winter wellness month"],
  perks: ["a travel-size balm", "a pharmacist’s advice by chat", "samples with every order", "gift wrapping", "a wash bag"],
  leavesOut: ["prescriptions", "pharmacy medicines", "gift cards", "infant milk", "fragrance"],
  says: [
    "A pharmacist is on chat from eight to eight, Sundays too.",
    "Ingredients are listed in plain English beside the Latin.",
    "Refill pouches of {thing} cost a fifth less than the bottle.",
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
  tiers: [["Glasses", "Contact lenses"], ["First pair", "Further pairs"], ["Hearing aids", "Accessories and batteries"], ["Everything"]],
  basis: "on the price without VAT, eye tests and care plans",
  tracks: [2, 7],
  confirms: [45, 90],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 320],
  trades: [
    { word: "Optics", sells: "glasses, contact lenses and prescription sunglasses", things: ["varifocals", "blue-light glasses", "prescription sunglasses", "daily lenses", "reading glasses", "children’s frames", "titanium frames", "safety glasses", "sports goggles", "lens cleaning kits"] },
    { word: "Hearing", sells: "hearing aids, ear protection and listening devices", things: ["hearing aids", "ear defenders", "moulded ear plugs", "hearing aid batteries", "amplified phones", "TV listeners", "swim plugs", "rechargeable aids", "vibrating alarm clocks", "concert plugs"] },
  ],
  seasons: ["sight-test month", "sunglasses season", "second-pair event", "new-year check-up", "frame clearance"],
  perks: ["thin lenses", "home trial of four frames", "anti-glare coating", "a hearing check in branch", "adjustments for life"],
  leavesOut: ["eye tests", "contact lens subscriptions", "care plans", "designer frames", "hearing assessments"],
  says: [
    "Try four frames at home for five days, post them back, and choose without a mirror that isn’t yours.",
    "Prices on the page include scratch-resistant single-vision lenses.",
    "Audiologists are registered and their names are on the branch pages.",
    "Frames are adjusted for nothing in any branch, for as long as you have them.",
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
  tiers: [["First order", "Later orders"], ["Boxes and subscriptions", "One-off orders"], ["New customers", "Existing customers"], ["Everything"]],
  basis: "on the price without delivery and deposits",
  tracks: [1, 5],
  confirms: [30, 60],
  confirmsAfter: "purchase",
  hasStores: false,
  basket: [25, 80],
  trades: [
    { word: "Veg", sells: "seasonal vegetable and fruit boxes", things: ["medium veg boxes", "fruit boxes", "salad boxes", "soup boxes", "small veg boxes", "orchard boxes", "recipe boxes", "egg and dairy add-ons", "bread subscriptions", "juicing boxes"] },
    { word: "Wines", sells: "wine from small growers, by the mixed case", things: ["mixed cases", "English sparkling wine", "natural reds", "summer rosés", "tasting cases", "magnums", "dessert wines", "low-alcohol wines", "vegan wines", "Christmas cases"], adultsOnly: true },
  ],
  seasons: ["harvest month", "soup season", "Christmas ordering week", "barbecue season", "British food fortnight"],
  perks: ["a jar of chutney", "delivery on your first four boxes", "a recipe book", "a tasting note set", "a tote bag"],
  leavesOut: ["bottle deposits", "gift vouchers", "delivery passes", "tobacco", "charity add-ons"],
  says: [
    "Boxes are packed the night before and the crate is collected and used again.",
    "Growers are named on the list in every box, with the miles their {thing} came.",
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
    { word: "Kitchen", sells: "small plates, Sunday roasts and a proper pudding list", things: ["Sunday roasts", "set lunches", "small plates", "brunch", "early suppers", "cream teas", "sharing boards", "children’s meals", "midweek dinners", "puddings"] },
    { word: "Pizza", sells: "sourdough pizza, to eat in or take home", things: ["sourdough pizzas", "lunch pizzas", "garlic bread", "family bundles", "bake-at-home kits", "dough balls", "gluten-free bases", "vegan pizzas", "sides", "soft drinks"] },
  ],
  seasons: ["school holidays", "January Mondays", "match nights", "exam season", "Sunday-to-Thursday"],
  perks: ["coffee with any breakfast", "dough balls", "a pudding on your birthday", "a soft drink refill", "corkage on Tuesdays"],
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
  tiers: [["Courses", "Books and stationery"], ["New customers", "Existing customers"], ["Bouquets", "Plants and gifts"], ["Everything"]],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [30, 60],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [18, 70],
  trades: [
    { word: "Books", sells: "new books, signed editions and stationery", things: ["paperbacks", "signed first editions", "picture books", "cookery books", "class sets", "notebooks", "fountain pens", "audiobooks", "exam guides", "wall planners"] },
    { word: "Flowers", sells: "letterbox flowers, bouquets and house plants", things: ["letterbox flowers", "hand-tied bouquets", "house plants", "dried flowers", "sympathy flowers", "British tulips", "monthly flowers", "planted pots", "wreaths", "gift hampers"] },
  ],
  seasons: ["World Book Day", "thank-a-teacher week", "Christmas card season", "Valentine’s week", "summer reading"],
  perks: ["a bookmark set", "a handwritten card", "a vase", "gift wrapping", "named-day delivery"],
  leavesOut: ["school accounts", "book tokens", "e-readers", "same-day delivery", "second-hand books"],
  says: [
    "Booksellers write the little cards, and you can ask one a question by name.",
    "Stems are cut in the morning and in the post by four.",
    "Class sets of {thing} are discounted from the fifteenth copy.",
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
  tiers: [["Clothing and accessories", "Bikes"], ["Own brand", "Other brands"], ["New customers", "Existing customers"], ["Everything"]],
  basis: "on the price without VAT and delivery",
  tracks: [1, 3],
  confirms: [40, 75],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [35, 300],
  trades: [
    { word: "Cycles", sells: "commuter bikes, parts and wet-weather kit", things: ["commuter bikes", "folding bikes", "bike lights", "pannier bags", "winter gloves", "puncture-proof tyres", "helmets", "children’s bikes", "e-bikes", "service kits"] },
    { word: "Outdoor", sells: "tents, waterproofs and hill-walking kit", things: ["waterproof jackets", "family tents", "sleeping bags", "walking poles", "base layers", "head torches", "camping stoves", "fleece jackets", "rucksacks", "running vests"] },
  ],
  seasons: ["ride-to-work month", "expedition kit event", "summer camp sale", "dark-evenings event", "January get-going week"],
  perks: ["a first service", "a repair kit", "reproofing", "fitting in store", "a lock with every bike"],
  leavesOut: ["cycle-to-work orders", "e-bikes", "gift cards", "sat-navs", "workshop labour"],
  says: [
    "Bikes leave the workshop built and checked, with only the pedals to turn.",
    "Jackets are tested on the hill behind the warehouse, which is wet.",
    "Bring {thing} back for a service within a year and pay for parts only.",
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
    { word: "Tyres", sells: "tyres, MOTs and servicing at home or in the bay", things: ["all-season tyres", "winter tyres", "MOTs", "full services", "brake pads", "batteries", "wheel alignment", "wiper blades", "roof bars", "air-con recharges"] },
    { word: "Hire", sells: "cars, vans and minibuses by the day", things: ["weekend car hire", "van hire", "minibus hire", "airport collections", "electric cars", "seven-day hire", "one-way hire", "child seats", "automatic cars", "excess cover"] },
  ],
  seasons: ["winter check week", "MOT season", "bank holiday getaways", "half-term hire", "summer road-trip sale"],
  perks: ["a 20-point check", "tyre disposal", "a second driver", "screen wash top-up", "collection from the station"],
  leavesOut: ["fleet accounts", "run-flat tyres", "excess cover", "fuel", "airport fees"],
  says: [
    "Fitters come to the school car park, the hospital or your drive, and text when they are near.",
    "The price on the screen is the price in the bay: fitted, balanced and taxed.",
    "Vans have a phone number inside that is answered by people who drive them.",
    "Late-return grace is an hour, because shifts overrun.",
  ],
};
