import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/** A report of the network about a purchase, `daysAgo`. */
export interface DemoWord {
  says: "tracked" | "amended" | "approved" | "paid to us" | "declined";
  daysAgo: number;
  salePence?: number;
  reason?: DeclineReason;
}

export interface DemoPurchase {
  shop: "any" | "travel";
  clickedDaysAgo: number;
  /** Null: clicked, but no purchase tracked yet. */
  salePence: number | null;
  words: readonly DemoWord[];
  /** When the member was paid everything payable. */
  paidOutDaysAgo?: number;
}

/**
 * The history of a demo member, with every state of cashback at least once. The purchase tracked last is the newest, so
 * its presence shows that the whole history is there.
 */
export const DEMO_PURCHASES: readonly DemoPurchase[] = [
  {
    shop: "any",
    clickedDaysAgo: 214,
    salePence: 6_499,
    words: [
      { says: "tracked", daysAgo: 212 },
      { says: "approved", daysAgo: 158 },
      { says: "paid to us", daysAgo: 131 },
    ],
  },
  {
    shop: "any",
    clickedDaysAgo: 187,
    salePence: 57_900,
    words: [
      { says: "tracked", daysAgo: 185 },
      { says: "approved", daysAgo: 140 },
      { says: "paid to us", daysAgo: 118 },
    ],
    paidOutDaysAgo: 112,
  },
  {
    shop: "any",
    clickedDaysAgo: 104,
    salePence: 3_250,
    words: [
      { says: "tracked", daysAgo: 102 },
      { says: "approved", daysAgo: 51 },
      { says: "paid to us", daysAgo: 18 },
    ],
  },
  {
    shop: "any",
    clickedDaysAgo: 96,
    salePence: 42_600,
    words: [
      { says: "tracked", daysAgo: 95 },
      { says: "amended", daysAgo: 71, salePence: 38_400, reason: "amended" },
      { says: "approved", daysAgo: 40, salePence: 38_400, reason: "amended" },
      { says: "paid to us", daysAgo: 6, salePence: 38_400, reason: "amended" },
    ],
  },
  {
    shop: "any",
    clickedDaysAgo: 68,
    salePence: 22_995,
    words: [
      { says: "tracked", daysAgo: 66 },
      { says: "approved", daysAgo: 14 },
    ],
  },
  {
    shop: "any",
    clickedDaysAgo: 61,
    salePence: 5_400,
    words: [
      { says: "tracked", daysAgo: 60 },
      { says: "declined", daysAgo: 23, reason: "returned" },
    ],
  },
  { shop: "travel", clickedDaysAgo: 33, salePence: 41_200, words: [{ says: "tracked", daysAgo: 29 }] },
  { shop: "any", clickedDaysAgo: 9, salePence: 7_850, words: [{ says: "tracked", daysAgo: 7 }] },
  { shop: "any", clickedDaysAgo: 0.2, salePence: null, words: [] },
  { shop: "any", clickedDaysAgo: 2.5, salePence: 2_699, words: [{ says: "tracked", daysAgo: 0.1 }] },
];
