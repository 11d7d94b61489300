/** `comes back`: the bank pays, and sends the money back a step later. */
export type BankFate = "pays" | "fails" | "comes back";

/** How much a run simulates. */
export interface Scale {
  seed: number;
  months: number;
  members: number;
  /** When it begins, in the simulated world. */
  start: Date;
  /** Days between two steps; nothing happens between them. */
  stepDays: number;
  purchasesPerMemberMonth: number;
  /** Days from a purchase's report to the retailer's decision. */
  decideDays: readonly [number, number];
  /** Days between two payments of a network. */
  payEveryDays: number;
  /** Days from a payment to a late reversal or amendment. */
  regretDays: readonly [number, number];
  /** How likely a sale that was paid for is amended, and how likely a sale that was paid for, or amended since, is reversed. */
  regretChances: { amended: number; reversed: number };
  /** How likely the bank does not make a payment, or sends it back. */
  bankFailChance: number;
  /** What the bank does with the first payments, so that a short run has each case. */
  firstFates: readonly BankFate[];
  /** Rakuten reports no status: days after which a sale counts as approved. */
  rakutenHoldDays: number;
  /** Days between two batches for the bank. */
  batchEveryDays: number;
  kills: number;
  /** How many of the members join during the simulation, by the link of another. */
  friends: number;
  /** How likely the reference of a click never reaches its network. */
  lostChance: number;
}

/** Eighteen months, 400 members; from before a change to summer time, so that London's clocks change three times and Los Angeles' four. */
export const fullScale: Scale = {
  seed: 1,
  months: 18,
  members: 400,
  start: new Date("2025-03-01T00:00:00Z"),
  stepDays: 3,
  purchasesPerMemberMonth: 0.5,
  decideDays: [9, 40],
  payEveryDays: 30,
  regretDays: [5, 40],
  regretChances: { amended: 0.14, reversed: 0.12 },
  bankFailChance: 0.05,
  firstFates: [],
  rakutenHoldDays: 30,
  batchEveryDays: 15,
  kills: 20,
  friends: 24,
  lostChance: 0.05,
};

/** A month of 40 members in which everything happens faster: it holds both changes to winter time. */
export const smokeScale: Scale = {
  seed: 1,
  months: 1,
  members: 40,
  start: new Date("2025-10-10T00:00:00Z"),
  stepDays: 2,
  purchasesPerMemberMonth: 2.5,
  decideDays: [2, 5],
  payEveryDays: 6,
  regretDays: [2, 4],
  regretChances: { amended: 0.3, reversed: 0.3 },
  bankFailChance: 0.3,
  firstFates: ["comes back", "pays", "fails", "pays"],
  rakutenHoldDays: 3,
  batchEveryDays: 4,
  kills: 3,
  friends: 4,
  lostChance: 0.1,
};
