import { good, type Sector } from "./sector.ts";

/** Sectors of goods for the home. */
export const home: readonly Sector[] = [
  {
    name: "Health and beauty",
    match: /health|beauty|chemist|cosmetic|\bskin|\bhair|pharm|wellbeing|\bsalon/i,
    strapline: "Plain remedies, kind to skin",
    named: true,
    goods: {
      Face: [
        good("face cream", "jar", 14, 32),
        good("cleansing balm", "jar", 12, 26),
        good("sun lotion, factor 50", "bottle", 11, 19),
        good("lip balm", "jar", 5, 9),
      ],
      Body: [
        good("hand wash", "bottle", 8, 16),
        good("bath oil", "bottle", 16, 34),
        good("shaving set", "box", 24, 48),
      ],
      Hair: [good("shampoo bar", "box", 7, 12), good("hair oil", "bottle", 15, 28)],
      Remedies: [
        good("vitamin D, 90 tablets", "jar", 7, 13),
        good("scented candle", "candle", 18, 36),
        good("gift box", "gift", 28, 55),
      ],
    },
  },
  {
    name: "Food and drink",
    match:
      /food|drink|grocer|\bwine|\bveg|recipe|bak(ery|ehouse)|coffee|\bteas?\b|pizza|restaurant|takeaway|\beating|bread|kitchen\b/i,
    strapline: "Good things, to your door",
    named: true,
    goods: {
      Boxes: [
        good("veg box, small", "basket", 13, 17),
        good("veg box, family", "basket", 19, 26),
        good("recipe box, two people", "basket", 32, 45),
        good("recipe box, four people", "basket", 48, 66),
      ],
      Larder: [
        good("honey", "jar", 6, 12),
        good("chutney trio", "jar", 12, 19),
        good("olive oil, 500 ml", "bottle", 11, 18),
        good("cheese board", "box", 26, 44),
      ],
      Drinks: [
        good("ground coffee, 1 kg", "bag", 16, 26),
        good("breakfast tea, 80 bags", "box", 5, 9),
        good("mixed case, six bottles", "bottle", 48, 84),
      ],
      Gifts: [good("hamper", "gift", 45, 95)],
    },
  },
  {
    name: "DIY and garden",
    match: /\bdiy\b|home improvement|garden|\btools?\b|\bsheds?\b|\bpaint|\bplants?\b|\bseeds?\b/i,
    strapline: "Everything for the job in hand",
    named: true,
    goods: {
      Tools: [
        good("claw hammer", "hammer", 14, 28),
        good("cordless drill", "drill", 69, 149),
        good("spanner set", "hammer", 24, 48),
      ],
      Garden: [
        good("border spade", "spade", 28, 52),
        good("hand fork", "spade", 9, 18),
        good("watering can", "can", 16, 32),
        good("potted fern", "plant", 12, 26),
        good("bulb collection", "plant", 9, 19),
      ],
      Paint: [good("emulsion, 2.5 l", "paint", 24, 42), good("masonry paint, 5 l", "paint", 32, 54)],
      Outdoors: [good("garden bench", "chair", 95, 190), good("shed, 6 by 4", "house", 229, 420)],
    },
  },
  {
    name: "Electronics and appliances",
    match: /electr|appliance|laptop|computer|\btech|gadget|white goods/i,
    strapline: "Tested here before it reaches you",
    named: true,
    goods: {
      Computers: [
        good("laptop, 14 inch", "laptop", 429, 899),
        good("tablet, 11 inch", "phone", 219, 449),
        good("monitor, 27 inch", "screen", 139, 289),
        good("charger, 65 W", "box", 19, 39),
      ],
      Kitchen: [
        good("kettle", "kettle", 28, 64),
        good("toaster, four slice", "box", 32, 72),
        good("stand mixer", "kettle", 149, 349),
      ],
      "Sound and vision": [
        good("television, 50 inch", "screen", 299, 599),
        good("headphones", "headphones", 59, 199),
        good("radio", "radio", 39, 119),
      ],
      Home: [good("washing machine", "washer", 289, 549), good("desk lamp", "lamp", 24, 58)],
    },
  },
];

/** The sector of a shop that fits no other. */
export const homeAndFurniture: Sector = {
  name: "Home and furniture",
  match: /./,
  strapline: "Rooms that feel like yours",
  named: true,
  goods: {
    Seating: [
      good("two-seat sofa", "sofa", 449, 990),
      good("armchair", "sofa", 249, 520),
      good("dining chair", "chair", 58, 120),
      good("oak table", "table", 290, 690),
    ],
    Bedroom: [
      good("bedside table", "table", 68, 140),
      good("double bed", "bed", 320, 720),
      good("linen duvet set", "bed", 72, 140),
      good("wool throw", "scarf", 38, 82),
    ],
    Kitchen: [good("stoneware mug", "cup", 8, 16), good("casserole", "kettle", 48, 110)],
    "Light and floor": [good("floor lamp", "lamp", 58, 130), good("rug, 120 by 170", "mat", 89, 210)],
  },
};
