import type { DemoKind } from "./kind-mix.ts";

/**
 * Offers that are in every demo catalogue under the same network id (Awin's promotionId): one for each case that pages and tests need.
 * Days count from the moment the catalogue is made for; null ends never.
 */
export interface KnownOffer {
  networkOfferId: string;
  /** Slug of a known retailer. */
  retailer: string;
  kind: DemoKind;
  title: string;
  headline: string;
  says: string;
  startsInDays: number;
  endsInDays: number | null;
  code?: string;
  /** Codes that are each given once. An empty list is a pool that has run out. */
  pool?: readonly string[];
  variants?: readonly string[];
  brands?: readonly string[];
  adultsOnly?: true;
  popularity?: number;
}

const poolOfThree = ["LAST-THREE-A7KQ", "LAST-THREE-M2XD", "LAST-THREE-R9WT"];

export const knownOffers: readonly KnownOffer[] = [
  {
    networkOfferId: "90000001",
    retailer: "fernhollow-boots",
    kind: "code",
    title: "15% off walking boots with this code",
    headline: "15% off",
    says: "Every pair at full price, in all fittings, with free exchanges for a hundred days.",
    startsInDays: -20,
    endsInDays: 60,
    code: "FERN15",
    popularity: 9990,
  },
  {
    networkOfferId: "90000002",
    retailer: "quillmoor-books",
    kind: "code",
    title: "20% off summer paperbacks",
    headline: "20% off",
    says: "Ended a month ago; people still have it bookmarked.",
    startsInDays: -120,
    endsInDays: -30,
    code: "SUMMER20",
  },
  {
    networkOfferId: "90000003",
    retailer: "larkspan-mobile",
    kind: "pool",
    title: "£30 off your first bill with a 12-month plan",
    headline: "£30 off",
    says: "Each member gets a code of their own. All of them have gone for now.",
    startsInDays: -30,
    endsInDays: 45,
    pool: [],
  },
  {
    networkOfferId: "90000004",
    retailer: "otterly-and-pike",
    kind: "pool",
    title: "£10 off school uniform over £50, the last three codes",
    headline: "£10 off",
    says: "Each member gets a code of their own, and there are three left.",
    startsInDays: -10,
    endsInDays: 30,
    pool: poolOfThree,
  },
  {
    networkOfferId: "90000005",
    retailer: "thistlecrate-veg",
    kind: "code",
    title: "£8 off a veg box with a bottle of English cider",
    headline: "£8 off",
    says: "The box as usual, with a bottle from the orchard next door. For people of 18 and over.",
    startsInDays: -5,
    endsInDays: 40,
    code: "ORCHARD8",
    adultsOnly: true,
  },
  {
    networkOfferId: "90000006",
    retailer: "sorrel-and-dune",
    kind: "code",
    title: "25% off the winter coat launch",
    headline: "25% off",
    says: "Starts in five days, a day before the shops open the new rail.",
    startsInDays: 5,
    endsInDays: 19,
    code: "COATS25",
  },
  {
    networkOfferId: "90000007",
    retailer: "ambercroft-cinemas",
    kind: "pool",
    title: "Two for one on film tickets",
    headline: "2 for 1",
    says: "Any film, any day until the end of the month. Choose who is coming and get a code of your own.",
    startsInDays: -15,
    endsInDays: 50,
    pool: Array.from({ length: 40 }, (_, index) => `REEL-${(46_656 + index * 7919).toString(36).toUpperCase()}-${(1_679_616 + index * 104_729).toString(36).toUpperCase()}`),
    variants: ["Two adults", "Adult and child", "Adult and companion"],
    popularity: 8800,
  },
  {
    networkOfferId: "90000008",
    retailer: "pebbleback-cycles",
    kind: "code",
    title: 'Save 10% on "everything" & <b>more</b>, even kids\' bikes',
    headline: "10% off",
    says: "A title with quotes, an ampersand and what looks like markup: all of it is text.",
    startsInDays: -8,
    endsInDays: 35,
    code: "PEDAL10",
  },
  {
    networkOfferId: "90000009",
    retailer: "brasslark-kitchen",
    kind: "in_store",
    title: "25% off food with your digital ID, tonight",
    headline: "25% off",
    says: "Ends at midnight. Show your digital ID when you ask for the bill.",
    startsInDays: -14,
    endsInDays: 0,
  },
  {
    networkOfferId: "90000010",
    retailer: "quillmoor-books",
    kind: "deal",
    title: "Class sets at cost for schools that teach reading first",
    headline: "At cost",
    says: "Only for members of Chalkside.",
    startsInDays: -40,
    endsInDays: null,
    brands: ["chalkside"],
  },
  {
    networkOfferId: "90000011",
    retailer: "flintwillow-laptops",
    kind: "deal",
    title: "Refurbished student laptops from £189",
    headline: "From £189",
    says: "Only for members of Freshledge: graded, tested, with two years’ guarantee.",
    startsInDays: -6,
    endsInDays: 80,
    brands: ["freshledge"],
    popularity: 9100,
  },
  {
    networkOfferId: "90000012",
    retailer: "bramblekite-pizza",
    kind: "app",
    title: "40% off your first order in the Bramblekite app",
    headline: "40% off",
    says: "In the app only. It opens the store on a phone and shows a code to scan on a computer.",
    startsInDays: -12,
    endsInDays: 70,
    popularity: 8900,
  },
  {
    networkOfferId: "90000013",
    retailer: "saltmeadow-breaks",
    kind: "code",
    title: "15% off stays of two nights or more",
    headline: "15% off",
    says: "Cashback comes after you have stayed. Choose how long you can get away for.",
    startsInDays: -25,
    endsInDays: 90,
    code: "SALT15",
    variants: ["Two nights", "Three nights", "A week"],
    popularity: 8700,
  },
  {
    networkOfferId: "90000014",
    retailer: "plumthatch-guild",
    kind: "deal",
    title: "Hand-quilted bedspreads, upholstery remnants, cushion pads and all kinds of trimming from the guild’s own workrooms at prices that were last seen in the winter catalogue of the year before last, today",
    headline: "Up to 60% off",
    says: "Marked down from 20% to 60% while the workrooms are cleared. The title is as long as a title can be.",
    startsInDays: -3,
    endsInDays: 25,
  },
  {
    networkOfferId: "90000015",
    retailer: "cinderquill-wines",
    kind: "code",
    title: "£20 off your first mixed case",
    headline: "£20 off",
    says: "Twelve bottles chosen by you or by them. For people of 18 and over; the courier will ask.",
    startsInDays: -18,
    endsInDays: 44,
    code: "CINDER20",
    adultsOnly: true,
  },
  {
    networkOfferId: "90000016",
    retailer: "maison-veloutine",
    kind: "deal",
    title: "Brittany gîtes from €480 a week",
    headline: "From €480",
    says: "Prices are in euros, and so is what the programme pays.",
    startsInDays: -9,
    endsInDays: 100,
  },
];
