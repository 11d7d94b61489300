import type { Drawing } from "./drawings.ts";

/** A kind of thing a shop sells: its name, how it is drawn, and the range of its price in whole pounds. */
export interface Good {
  name: string;
  drawing: Drawing;
  from: number;
  to: number;
}

/** What shops of one kind sell and say. */
export interface Sector {
  name: string;
  /** Found in the advertiser's sector, or in its name. */
  match: RegExp;
  strapline: string;
  /** Whether a maker's word goes before the name ("Alder linen shirt"); plans and policies have none. */
  named: boolean;
  /** By department, a dozen in all. */
  goods: Readonly<Record<string, readonly Good[]>>;
}

const good = (name: string, drawing: Drawing, from: number, to: number): Good => ({ name, drawing, from, to });

/** In order: the first whose pattern fits is taken, so the narrow ones come first. */
export const sectors: readonly Sector[] = [
  {
    name: "Mobile and broadband", match: /broadband|\bmobile|telecom|\bsim\b|phone|fibre/i, strapline: "Connected by the weekend", named: false,
    goods: {
      Fibre: [good("Fibre 80, first month", "router", 24, 28), good("Fibre 150, first month", "router", 28, 33), good("Fibre 500, first month", "router", 34, 39), good("Fibre 900, first month", "router", 42, 49)],
      "SIM only": [good("SIM 10 GB, 12 months", "sim", 72, 96), good("SIM 50 GB, 12 months", "sim", 108, 132), good("SIM unlimited, 12 months", "sim", 180, 240)],
      Phones: [good("Smartphone, 128 GB", "phone", 249, 399), good("Smartphone, 256 GB", "phone", 449, 699), good("Home phone handset", "phone", 29, 49)],
      Extras: [good("Mesh Wi-Fi pair", "router", 89, 129), good("eSIM for Europe, 7 days", "sim", 9, 15)],
    },
  },
  {
    name: "Insurance and energy", match: /insur|energy|\bmoney|financ|\bbank|utilit|\bcover\b|\bloans?\b|credit/i, strapline: "Sorted, in plain words", named: false,
    goods: {
      Home: [good("Buildings cover, 12 months", "house", 110, 190), good("Contents cover, 12 months", "house", 60, 120), good("Home cover, both, 12 months", "house", 160, 260), good("Boiler cover, 12 months", "flame", 96, 180)],
      Motor: [good("Car cover, third party", "car", 280, 420), good("Car cover, comprehensive", "car", 340, 620), good("Breakdown cover, 12 months", "car", 39, 79)],
      Travel: [good("Single trip, Europe", "umbrella", 12, 24), good("Annual travel, worldwide", "umbrella", 49, 95), good("Gadget cover, 12 months", "umbrella", 36, 60)],
      Pets: [good("Dog cover, lifetime", "paw", 140, 320), good("Cat cover, lifetime", "paw", 90, 180)],
    },
  },
  {
    name: "Holidays and hotels", match: /holiday|hotel|travel|flight|\bbreaks?\b|\blodges?\b|\bcamp|cottage|\bvilla|cruise/i, strapline: "Somewhere else, soon", named: false,
    goods: {
      "UK breaks": [good("Lodge by the loch, 3 nights", "cabin", 219, 389), good("Harbour cottage, 7 nights", "cabin", 480, 890), good("Canal boat, long weekend", "boat", 420, 640), good("Bell tent, 2 nights", "tent", 98, 160)],
      Cities: [good("City hotel, 2 nights", "bed", 120, 240), good("Spa night for two", "bed", 139, 229), good("Walled town and wine, 4 nights", "suitcase", 310, 520)],
      Sun: [good("Villa week, sleeps six", "sun", 890, 1690), good("Beach package, 7 nights", "sun", 380, 720), good("Island ferry and inn, 3 nights", "boat", 260, 410)],
      Walking: [good("Ridge walk, guided, 5 days", "mountain", 340, 610), good("Airport parking, 8 days", "car", 48, 92)],
    },
  },
  {
    name: "Days out", match: /cinema|\bdays? out|attraction|theatre|ticket|\bevents?\b/i, strapline: "Good seats, good days", named: false,
    goods: {
      Tickets: [good("Adult ticket, any day", "ticket", 14, 24), good("Off-peak ticket", "ticket", 9, 15), good("Front row seat", "ticket", 45, 85), good("Guided tour", "ticket", 12, 22)],
      Families: [good("Family ticket, two and two", "ticket", 42, 68), good("Workshop for children", "ticket", 10, 18)],
      Memberships: [good("Annual pass, one person", "ticket", 55, 95), good("Annual pass, family", "ticket", 149, 210)],
      Gifts: [good("Afternoon tea for two", "cup", 38, 62), good("Gift voucher", "gift", 25, 50), good("Late opening and a drink", "cup", 18, 28), good("Big popcorn and two drinks", "cup", 11, 15)],
    },
  },
  {
    name: "Shoes and bags", match: /\bshoe|\bboots?\b|\bbags?\b|footwear|trainer|luggage/i, strapline: "Made to be walked in", named: true,
    goods: {
      Boots: [good("ankle boot", "boot", 75, 145), good("walking boot", "boot", 95, 170), good("wellington", "boot", 38, 75)],
      Shoes: [good("canvas trainer", "shoe", 42, 70), good("leather trainer", "shoe", 75, 120), good("brogue", "shoe", 95, 165), good("slipper", "shoe", 24, 42), good("work shoe", "shoe", 58, 92)],
      Bags: [good("satchel", "bag", 85, 160), good("tote", "bag", 32, 68), good("backpack", "bag", 48, 98)],
      Care: [good("wax and cloth", "jar", 8, 14)],
    },
  },
  {
    name: "Jewellery and watches", match: /jewel|\bwatch|\bgems?\b|\brings?\b/i, strapline: "Small things, made slowly", named: true,
    goods: {
      Rings: [good("silver band", "ring", 42, 88), good("gold vermeil ring", "ring", 75, 140), good("signet ring", "ring", 95, 210), good("garnet ring", "ring", 120, 260), good("cufflinks", "ring", 38, 72)],
      Necklaces: [good("chain necklace", "necklace", 48, 96), good("pendant", "necklace", 55, 130), good("pearl drop", "necklace", 68, 150)],
      Watches: [good("field watch", "watch", 95, 190), good("dress watch", "watch", 140, 320), good("watch strap", "watch", 22, 42)],
      Care: [good("polishing cloth", "jar", 6, 12)],
    },
  },
  {
    name: "Glasses and hearing", match: /optic|glasses|hearing|eyewear|\blens/i, strapline: "See and hear the difference", named: true,
    goods: {
      Glasses: [good("round frame", "glasses", 59, 129), good("square frame", "glasses", 69, 139), good("half-rim frame", "glasses", 79, 149), good("reading glasses", "glasses", 18, 32), good("children's frame", "glasses", 39, 69)],
      "Sun and swim": [good("sunglasses", "glasses", 49, 119), good("swim goggles to prescription", "glasses", 32, 48)],
      Lenses: [good("daily lenses, 30 pairs", "jar", 24, 38), good("monthly lenses, 3 pairs", "jar", 22, 34), good("lens solution", "bottle", 7, 12)],
      "Hearing and care": [good("hearing aid batteries", "jar", 6, 11), good("glasses case", "box", 9, 18)],
    },
  },
  {
    name: "Health and beauty", match: /health|beauty|chemist|cosmetic|\bskin|\bhair|pharm|wellbeing|\bsalon/i, strapline: "Plain remedies, kind to skin", named: true,
    goods: {
      Face: [good("face cream", "jar", 14, 32), good("cleansing balm", "jar", 12, 26), good("sun lotion, factor 50", "bottle", 11, 19), good("lip balm", "jar", 5, 9)],
      Body: [good("hand wash", "bottle", 8, 16), good("bath oil", "bottle", 16, 34), good("shaving set", "box", 24, 48)],
      Hair: [good("shampoo bar", "box", 7, 12), good("hair oil", "bottle", 15, 28)],
      Remedies: [good("vitamin D, 90 tablets", "jar", 7, 13), good("scented candle", "candle", 18, 36), good("gift box", "gift", 28, 55)],
    },
  },
  {
    name: "Food and drink", match: /food|drink|grocer|\bwine|\bveg|recipe|bak(ery|ehouse)|coffee|\bteas?\b|pizza|restaurant|takeaway|\beating|bread|kitchen\b/i, strapline: "Good things, to your door", named: true,
    goods: {
      Boxes: [good("veg box, small", "basket", 13, 17), good("veg box, family", "basket", 19, 26), good("recipe box, two people", "basket", 32, 45), good("recipe box, four people", "basket", 48, 66)],
      Larder: [good("honey", "jar", 6, 12), good("chutney trio", "jar", 12, 19), good("olive oil, 500 ml", "bottle", 11, 18), good("cheese board", "box", 26, 44)],
      Drinks: [good("ground coffee, 1 kg", "bag", 16, 26), good("breakfast tea, 80 bags", "box", 5, 9), good("mixed case, six bottles", "bottle", 48, 84)],
      Gifts: [good("hamper", "gift", 45, 95)],
    },
  },
  {
    name: "Kids and baby", match: /\bkids?\b|\bbab(y|ies)\b|child|\btoys?\b|nursery|maternity|school/i, strapline: "For small people and tired ones", named: true,
    goods: {
      Play: [good("wooden train", "toy", 18, 34), good("building blocks", "toy", 16, 30), good("soft hare", "toy", 14, 26), good("picture book", "book", 6, 11)],
      Wear: [good("romper", "shirt", 14, 26), good("school jumper", "shirt", 10, 18), good("rain coat", "coat", 24, 44)],
      Sleep: [good("sleep bag", "shirt", 22, 38), good("cot", "bed", 129, 260), good("night light", "lamp", 18, 34)],
      "Out and about": [good("pushchair", "pram", 189, 420), good("lunch box", "box", 9, 16)],
    },
  },
  {
    name: "Men's fashion", match: /\bmen|tailor|\bsuits?\b|\bshirts?\b/i, strapline: "Cut well, worn often", named: true,
    goods: {
      Tailoring: [good("two-piece suit", "coat", 180, 360), good("blazer", "coat", 110, 220), good("wool overcoat", "coat", 150, 290)],
      "Shirts and knits": [good("oxford shirt", "shirt", 38, 72), good("linen shirt", "shirt", 42, 78), good("lambswool jumper", "shirt", 52, 95), good("polo shirt", "shirt", 26, 45)],
      Trousers: [good("chino", "trousers", 42, 75), good("selvedge jean", "trousers", 65, 115)],
      Accessories: [good("silk tie", "tie", 24, 48), good("leather belt", "belt", 28, 52), good("five socks", "sock", 18, 32)],
    },
  },
  {
    name: "Fashion", match: /fashion|cloth|women|apparel|petite|\bdress|lingerie|\bwear\b/i, strapline: "New in, and here to stay", named: true,
    goods: {
      Dresses: [good("wrap dress", "dress", 48, 95), good("linen dress", "dress", 55, 110), good("shirt dress", "dress", 52, 92), good("pleated skirt", "dress", 38, 68)],
      Tops: [good("merino jumper", "shirt", 48, 88), good("striped top", "shirt", 22, 38), good("silk blouse", "shirt", 58, 98)],
      Trousers: [good("wide-leg trouser", "trousers", 45, 78), good("straight jean", "trousers", 48, 82)],
      Coats: [good("wool coat", "coat", 130, 260), good("rain mac", "coat", 78, 140), good("scarf", "scarf", 22, 48)],
    },
  },
  {
    name: "DIY and garden", match: /\bdiy\b|garden|\btools?\b|\bsheds?\b|\bpaint|\bplants?\b|\bseeds?\b/i, strapline: "Everything for the job in hand", named: true,
    goods: {
      Tools: [good("claw hammer", "hammer", 14, 28), good("cordless drill", "drill", 69, 149), good("spanner set", "hammer", 24, 48)],
      Garden: [good("border spade", "spade", 28, 52), good("hand fork", "spade", 9, 18), good("watering can", "can", 16, 32), good("potted fern", "plant", 12, 26), good("bulb collection", "plant", 9, 19)],
      Paint: [good("emulsion, 2.5 l", "paint", 24, 42), good("masonry paint, 5 l", "paint", 32, 54)],
      Outdoors: [good("garden bench", "chair", 95, 190), good("shed, 6 by 4", "house", 229, 420)],
    },
  },
  {
    name: "Electronics and appliances", match: /electr|appliance|laptop|computer|\btech|gadget|white goods/i, strapline: "Tested here before it reaches you", named: true,
    goods: {
      Computers: [good("laptop, 14 inch", "laptop", 429, 899), good("tablet, 11 inch", "phone", 219, 449), good("monitor, 27 inch", "screen", 139, 289), good("charger, 65 W", "box", 19, 39)],
      Kitchen: [good("kettle", "kettle", 28, 64), good("toaster, four slice", "box", 32, 72), good("stand mixer", "kettle", 149, 349)],
      "Sound and vision": [good("television, 50 inch", "screen", 299, 599), good("headphones", "headphones", 59, 199), good("radio", "radio", 39, 119)],
      Home: [good("washing machine", "washer", 289, 549), good("desk lamp", "lamp", 24, 58)],
    },
  },
  {
    name: "Motoring", match: /motor|\btyre|\bcars?\b|\bmot\b|garage|\bhire\b/i, strapline: "Back on the road today", named: true,
    goods: {
      Tyres: [good("summer tyre, 16 inch", "tyre", 58, 98), good("all-season tyre, 17 inch", "tyre", 78, 132), good("winter tyre, 18 inch", "tyre", 96, 168)],
      Servicing: [good("MOT test", "car", 34, 54), good("interim service", "car", 95, 139), good("full service", "car", 169, 239), good("battery, fitted", "box", 89, 149)],
      Parts: [good("wiper blades, pair", "box", 14, 26), good("roof box", "box", 149, 289), good("dash camera", "radio", 59, 129)],
      "Care and hire": [good("car shampoo", "bottle", 7, 13), good("day's hire, small car", "car", 32, 58)],
    },
  },
  {
    name: "Sports and outdoors", match: /sport|outdoor|\bgyms?\b|cycl|\bbikes?\b|fitness|\brunning|\btents?\b/i, strapline: "Out in all of it", named: true,
    goods: {
      Cycling: [good("commuter bike", "bike", 349, 690), good("gravel bike", "bike", 790, 1490), good("children's bike", "bike", 129, 229), good("helmet", "helmet", 32, 78)],
      Camping: [good("two-person tent", "tent", 89, 219), good("down sleeping bag", "bag", 79, 189), good("flask", "bottle", 16, 32)],
      Clothing: [good("running shoe", "shoe", 65, 125), good("shell jacket", "coat", 78, 180), good("base layer", "shirt", 24, 46)],
      Training: [good("kettlebell, 12 kg", "weight", 28, 46), good("yoga mat", "mat", 18, 42)],
    },
  },
  {
    name: "Books, learning and gifts", match: /\bbook|learn|\bcourse|\bgifts?\b|flower|station[ae]r|\bcards?\b|\bpens?\b|\bmusic|hobb/i, strapline: "Something to open", named: true,
    goods: {
      Books: [good("hardback novel", "book", 14, 20), good("paperback novel", "book", 8, 11), good("field guide", "book", 12, 22), good("cookery book", "book", 18, 30)],
      Paper: [good("notebook, lined", "book", 7, 14), good("fountain pen", "pen", 19, 48), good("letter set", "box", 9, 18)],
      Gifts: [good("jigsaw, 1,000 pieces", "box", 14, 24), good("seasonal bouquet", "plant", 28, 52), good("letterbox flowers", "plant", 22, 34), good("gift box", "gift", 24, 48)],
      Courses: [good("evening course", "book", 45, 95)],
    },
  },
  {
    name: "Pets", match: /\bpets?\b|\bdogs?\b|\bcats?\b|\bpaws?\b/i, strapline: "For the ones who wait at the door", named: true,
    goods: {
      Dogs: [good("dog bed, large", "bed", 38, 82), good("rope lead", "belt", 14, 26), good("waxed dog coat", "coat", 28, 52)],
      Cats: [good("cat bed", "bed", 24, 46), good("scratching post", "lamp", 26, 58), good("litter, 20 l", "bag", 11, 18)],
      Food: [good("dry food, 12 kg", "bag", 32, 58), good("wet food, 24 tins", "jar", 18, 32), good("training treats", "bag", 4, 8), good("raised bowl", "cup", 16, 28)],
      "Play and care": [good("puzzle toy", "toy", 9, 18), good("grooming brush", "box", 8, 16)],
    },
  },
  {
    name: "Home and furniture", match: /./, strapline: "Rooms that feel like yours", named: true,
    goods: {
      Seating: [good("two-seat sofa", "sofa", 449, 990), good("armchair", "sofa", 249, 520), good("dining chair", "chair", 58, 120), good("oak table", "table", 290, 690)],
      Bedroom: [good("bedside table", "table", 68, 140), good("double bed", "bed", 320, 720), good("linen duvet set", "bed", 72, 140), good("wool throw", "scarf", 38, 82)],
      Kitchen: [good("stoneware mug", "cup", 8, 16), good("casserole", "kettle", 48, 110)],
      "Light and floor": [good("floor lamp", "lamp", 58, 130), good("rug, 120 by 170", "mat", 89, 210)],
    },
  },
];

/** The kind of shop an advertiser has, from its sector's name, else from its own. */
export function sectorOf(primarySector: string | undefined, name: string): Sector {
  const specific = sectors.slice(0, -1);
  return specific.find((one) => one.match.test(primarySector ?? "")) ?? specific.find((one) => one.match.test(name)) ?? (sectors.at(-1) as Sector);
}
