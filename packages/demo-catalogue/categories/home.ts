import type { CategoryGrammar } from "../grammar.ts";

export const homeAndFurniture: CategoryGrammar = {
  slug: "home-and-furniture",
  name: "Home, furniture & pets",
  sector: "Home Furnishings",
  body: `Sofas, beds, bedding, curtains, lamps and the pet’s bed too. Furniture is made or moved to order, so cashback follows the delivery, not the click: two to four months is normal, and the shop’s page shows its own range.

A percentage of a sofa is a good sum. If you pay by finance, most shops still count the whole price, but a few pay on the deposit only; the rate table says which.

Cancel within the cooling-off time and the cashback is cancelled with it. Change a fabric or a leg and it stays.`,
  family: "goods",
  rate: { kind: "percent", minBp: 200, maxBp: 800 },
  tiers: [
    ["Furniture", "Bedding and soft furnishings", "Clearance"],
    ["Made to order", "In stock"],
    ["New customers", "Existing customers"],
    ["Everything"],
  ],
  basis: "on the price without VAT, delivery and assembly",
  tracks: [2, 5],
  confirms: [60, 120],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 900],
  trades: [
    {
      word: "Sofas",
      sells: "sofas, armchairs and sofa beds",
      things: [
        "corner sofas £899",
        "sofa beds £549",
        "snuggler chairs £399",
        "footstools £129",
        "velvet armchairs £329",
        "modular sofas £990",
        "recliners £479",
        "loose covers £149",
        "two-seater sofas £499",
        "window seats £189",
      ],
    },
    {
      word: "Bedding",
      sells: "mattresses, duvets and bed linen",
      things: [
        "cotton duvet covers £32",
        "wool duvets £89",
        "hybrid mattresses £349",
        "pillow pairs £28",
        "mattress toppers £69",
        "linen sheets £75",
        "children’s bed sets £24",
        "blackout curtains £45",
        "ottoman beds £399",
        "weighted blankets £49",
      ],
      also: { "kids-and-baby": ["children’s bed sets"] },
    },
  ],
  seasons: ["bank holiday event", "big bed sale", "new-home month", "nesting week", "showroom clearance"],
  perks: [
    "Sofas> fabric swatches",
    "Bedding> old mattress collection",
    "Bedding> a 100-night trial",
    "Sofas> two-person delivery",
    "gift wrapping",
    "Pets> a name tag",
    "Pets> a squeaky duck",
  ],
  leavesOut: ["ex-display pieces", "fabric by the metre", "gift cards", "delivery upgrades", "clearance mattresses"],
  says: [
    "Sofas> Swatches of every fabric are posted free, up to eight at a time.",
    "Sofas> Frames are guaranteed for fifteen years and made within an hour of the showroom.",
    "The delivery crew takes the packaging away, and the old piece too if you ask.",
    "Bedding> Mattresses can be slept on for a hundred nights and still go back.",
    "Sofas> Lead times are printed beside the price, not after it.",
  ],
};

export const diyAndGarden: CategoryGrammar = {
  slug: "diy-and-garden",
  name: "DIY & garden",
  sector: "Home Improvement",
  body: `Tools, paint, sheds, fencing and things that grow. Bulky orders come on a pallet, so read the delivery terms: cashback is worked out without them.

Trade accounts usually don’t earn cashback, and neither do orders placed by phone. Log in as an ordinary customer and pay online.

Plants are seasonal and sometimes substituted. If a line is refunded, your cashback is adjusted by that line and the rest is kept.`,
  family: "goods",
  rate: { kind: "percent", minBp: 200, maxBp: 600 },
  tiers: [
    ["Hand tools and hardware", "Power tools"],
    ["Plants and seeds", "Sheds and buildings"],
    ["New customers", "Existing customers"],
    ["Everything"],
  ],
  basis: "on the price without VAT and delivery",
  tracks: [1, 4],
  confirms: [45, 80],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [30, 260],
  trades: [
    {
      word: "Tools",
      sells: "hand tools, power tools and workwear",
      things: [
        "cordless drills £59",
        "socket sets £35",
        "garden shears £19",
        "workbenches £79",
        "hand planes £29",
        "tool bags £25",
        "pressure washers £89",
        "paint sprayers £65",
        "ladders £75",
        "hedge trimmers £69",
      ],
    },
    {
      word: "Sheds",
      sells: "sheds, greenhouses and garden furniture",
      things: [
        "apex sheds £249",
        "greenhouses £329",
        "log stores £119",
        "raised beds £45",
        "garden benches £129",
        "bike stores £189",
        "summer houses £699",
        "fence panels £28",
        "cold frames £39",
        "playhouses £279",
      ],
      also: { "kids-and-baby": ["playhouses"] },
    },
  ],
  seasons: ["long-weekend event", "seed-sowing season", "garden tidy-up", "trade week", "end-of-line clearance"],
  perks: [
    "a pair of gloves",
    "Tools> blade sharpening",
    "kerbside delivery",
    "Sheds> a base kit",
    "Sheds> a tin of wood treatment",
  ],
  leavesOut: ["turf and compost", "gas bottles", "trade accounts", "ex-hire tools", "gift cards"],
  says: [
    "Tools> Batteries fit across the whole range, so the second tool costs less than the first.",
    "Sheds> Buildings are pressure-treated and come with a fifteen-year promise against rot.",
    "Spare parts are sold for everything made since 1998.",
    "There is a plain guide to measuring, fixing and the rules of planning on every page.",
  ],
};

export const electronics: CategoryGrammar = {
  slug: "electronics",
  name: "Electronics & appliances",
  sector: "Electronics",
  body: `Laptops, washing machines, headphones and the kettle that tripped the fuse. Margins are thin here, so rates are low; on a large appliance a small rate is still real money.

Big makers of phones and consoles are often left out of both codes and cashback. The terms name them. Refurbished grades usually pay the better rate.

Delivery slots, installation and care plans don’t count towards cashback. Student and key-worker prices usually do, but ask first if a price is only shown after you log in at the shop.`,
  family: "goods",
  rate: { kind: "percent", minBp: 50, maxBp: 400 },
  tiers: [
    ["Accessories", "Laptops and tablets"],
    ["Refurbished", "New"],
    ["Small appliances", "Large appliances"],
    ["Everything"],
  ],
  basis: "on the price without VAT, delivery, installation and care plans",
  tracks: [1, 4],
  confirms: [45, 90],
  confirmsAfter: "purchase",
  hasStores: true,
  basket: [60, 800],
  trades: [
    {
      word: "Laptops",
      sells: "new and refurbished laptops, tablets and monitors",
      things: [
        "refurbished laptops £189",
        "student laptops £349",
        "monitors £119",
        "docking stations £69",
        "tablets £139",
        "wireless keyboards £29",
        "noise-cancelling headphones £79",
        "backpacks £35",
        "printers £65",
        "external drives £45",
      ],
      also: { "shoes-and-bags": ["backpacks"] },
    },
    {
      word: "Appliances",
      sells: "white goods, small appliances and spares",
      things: [
        "washing machines £299",
        "heat-pump dryers £429",
        "fridge freezers £349",
        "dishwashers £279",
        "air fryers £59",
        "coffee machines £89",
        "cordless vacuums £119",
        "slow cookers £29",
        "induction hobs £229",
        "dehumidifiers £129",
      ],
    },
  ],
  seasons: ["weekend tech event", "student weeks", "big clean event", "refurbished week", "upgrade weeks"],
  perks: [
    "Appliances> old appliance recycling",
    "Laptops> a laptop sleeve",
    "next-day delivery",
    "a second-year guarantee",
    "Appliances> installation",
  ],
  leavesOut: ["games consoles", "care plans", "mobile phones", "installation", "gift cards"],
  says: [
    "Laptops> Refurbished machines are graded by an engineer whose initials are on the report.",
    "Appliances> Energy use is shown in pounds per year beside every price.",
    "Two-year guarantees come as standard and the repair workshop is in-house.",
    "A real person answers questions about ports, plugs and door hinges.",
  ],
};
