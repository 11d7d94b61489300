import { good, type Sector } from "./sector.ts";

/** Sectors of travel and leisure. */
export const leisure: readonly Sector[] = [
  {
    name: "Eating out",
    match: /restaurant|eating out|takeaway|pizza|\bpubs?\b|café/i,
    strapline: "A table, or a bag to take home",
    named: false,
    goods: {
      Tables: [
        good("Sunday roast for two", "cup", 34, 52),
        good("Set lunch, two courses", "cup", 16, 24),
        good("Set supper, three courses", "cup", 28, 39),
        good("Family table, two and two", "cup", 48, 72),
      ],
      "To take home": [
        good("Supper box for two", "box", 24, 36),
        good("Pie and sides", "box", 15, 22),
        good("Big sharing pizza", "box", 16, 24),
      ],
      Drinks: [
        good("House red, a bottle", "bottle", 18, 28),
        good("Ginger cordial", "bottle", 5, 9),
        good("Coffee and cake", "cup", 8, 12),
      ],
      Gifts: [good("Gift card", "gift", 20, 100), good("Tasting evening", "ticket", 38, 65)],
    },
  },
  {
    name: "Holidays and hotels",
    match: /holiday|hotel|travel|flight|\bbreaks?\b|\blodges?\b|\bcamp|cottage|\bvilla|cruise/i,
    strapline: "Somewhere else, soon",
    named: false,
    goods: {
      "UK breaks": [
        good("Lodge by the loch, 3 nights", "cabin", 219, 389),
        good("Harbour cottage, 7 nights", "cabin", 480, 890),
        good("Canal boat, long weekend", "boat", 420, 640),
        good("Bell tent, 2 nights", "tent", 98, 160),
      ],
      Cities: [
        good("City hotel, 2 nights", "bed", 120, 240),
        good("Spa night for two", "bed", 139, 229),
        good("Walled town and wine, 4 nights", "suitcase", 310, 520),
      ],
      Sun: [
        good("Villa week, sleeps six", "sun", 890, 1690),
        good("Beach package, 7 nights", "sun", 380, 720),
        good("Island ferry and inn, 3 nights", "boat", 260, 410),
      ],
      Walking: [
        good("Ridge walk, guided, 5 days", "mountain", 340, 610),
        good("Airport parking, 8 days", "car", 48, 92),
      ],
    },
  },
  {
    name: "Days out",
    match: /entertainment|cinema|\bdays? out|attraction|theatre|ticket|\bevents?\b/i,
    strapline: "Good seats, good days",
    named: false,
    goods: {
      Tickets: [
        good("Adult ticket, any day", "ticket", 14, 24),
        good("Off-peak ticket", "ticket", 9, 15),
        good("Front row seat", "ticket", 45, 85),
        good("Guided tour", "ticket", 12, 22),
      ],
      Families: [good("Family ticket, two and two", "ticket", 42, 68), good("Workshop for children", "ticket", 10, 18)],
      Memberships: [good("Annual pass, one person", "ticket", 55, 95), good("Annual pass, family", "ticket", 149, 210)],
      Gifts: [
        good("Afternoon tea for two", "cup", 38, 62),
        good("Gift voucher", "gift", 25, 50),
        good("Late opening and a drink", "cup", 18, 28),
        good("Big popcorn and two drinks", "cup", 11, 15),
      ],
    },
  },
  {
    name: "Sports and outdoors",
    match: /sport|outdoor|\bgyms?\b|cycl|\bbikes?\b|fitness|\brunning|\btents?\b/i,
    strapline: "Out in all of it",
    named: true,
    goods: {
      Cycling: [
        good("commuter bike", "bike", 349, 690),
        good("gravel bike", "bike", 790, 1490),
        good("children's bike", "bike", 129, 229),
        good("helmet", "helmet", 32, 78),
      ],
      Camping: [
        good("two-person tent", "tent", 89, 219),
        good("down sleeping bag", "bag", 79, 189),
        good("flask", "bottle", 16, 32),
      ],
      Clothing: [
        good("running shoe", "shoe", 65, 125),
        good("shell jacket", "coat", 78, 180),
        good("base layer", "shirt", 24, 46),
      ],
      Training: [good("kettlebell, 12 kg", "weight", 28, 46), good("yoga mat", "mat", 18, 42)],
    },
  },
  {
    name: "Books, learning and gifts",
    match: /\bbook|learn|\bcourse|\bgifts?\b|flower|station[ae]r|\bcards?\b|\bpens?\b|\bmusic|hobb/i,
    strapline: "Something to open",
    named: true,
    goods: {
      Books: [
        good("hardback novel", "book", 14, 20),
        good("paperback novel", "book", 8, 11),
        good("field guide", "book", 12, 22),
        good("cookery book", "book", 18, 30),
      ],
      Paper: [
        good("notebook, lined", "book", 7, 14),
        good("fountain pen", "pen", 19, 48),
        good("letter set", "box", 9, 18),
      ],
      Gifts: [
        good("jigsaw, 1,000 pieces", "box", 14, 24),
        good("seasonal bouquet", "plant", 28, 52),
        good("letterbox flowers", "plant", 22, 34),
        good("gift box", "gift", 24, 48),
      ],
      Courses: [good("evening course", "book", 45, 95)],
    },
  },
  {
    name: "Pets",
    match: /\bpets?\b|\bdogs?\b|\bcats?\b|\bpaws?\b/i,
    strapline: "For the ones who wait at the door",
    named: true,
    goods: {
      Dogs: [
        good("dog bed, large", "bed", 38, 82),
        good("rope lead", "belt", 14, 26),
        good("waxed dog coat", "coat", 28, 52),
      ],
      Cats: [
        good("cat bed", "bed", 24, 46),
        good("scratching post", "lamp", 26, 58),
        good("litter, 20 l", "bag", 11, 18),
      ],
      Food: [
        good("dry food, 12 kg", "bag", 32, 58),
        good("wet food, 24 tins", "jar", 18, 32),
        good("training treats", "bag", 4, 8),
        good("raised bowl", "cup", 16, 28),
      ],
      "Play and care": [good("puzzle toy", "toy", 9, 18), good("grooming brush", "box", 8, 16)],
    },
  },
];
