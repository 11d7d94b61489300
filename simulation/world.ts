import { openBooks, type Books } from "./books.ts";
import type { Difference } from "./compare.ts";
import { memberBrowser, type MemberBrowser } from "./member-browser.ts";
import { emptyTally, type Tally } from "./tally.ts";
import { networksConsole, type NetworksConsole } from "./networks-console.ts";
import { operatorOf, type Operator } from "./operator.ts";
import type { Step } from "./plan.ts";
import { randomOf } from "./random.ts";
import type { Scale } from "./scale.ts";
import type { NetworkSlug } from "./shops.ts";
import type { Stack } from "./stack.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { bonusesOf, sum, type Invitation, type Payout, type Sale } from "./truth.ts";

export interface Member {
  browser: MemberBrowser;
  /** When the bank details can be used, and which they are; null: none. */
  bank: { usableFrom: Date; version: number } | null;
  detailsGiven: number;
  /** The operator has stopped their payouts. */
  isHeld: boolean;
  isSuspended: boolean;
  /** False before they register: who is invited joins during the simulation. */
  hasJoined: boolean;
}

/** A member's claim, and what must become of it. */
export interface Claim {
  member: number;
  network: NetworkSlug;
  order: string;
  /** Null: the order is not the member's. */
  sale: Sale | null;
  madeStep: number;
  publicId: string;
  /** `made` until it is with its network. `answered`: the retailer has decided. */
  state: "made" | "filed" | "answered";
  /** How it must stand when the reading that is under way is over; null: it may still wait. */
  must: "credited" | "declined" | null;
}

/** The simulated club and its surroundings: the real processes, those who act on them, and what must be true. */
export interface World {
  scale: Scale;
  stack: Stack;
  books: Books;
  members: readonly Member[];
  console: NetworksConsole;
  operator: Operator;
  tally: Tally;
  sales: Sale[];
  /** References of the clicks that sales follow. */
  references: Map<Sale, string>;
  payouts: Payout[];
  invitations: Invitation[];
  claims: Claim[];
  differences: Difference[];
  comparisons: { accounts: number; timelines: number; pages: number };
  stopwatch: Stopwatch;
  /** The step that is under way. */
  step: Step | null;
}

export function makeWorld(scale: Scale, stack: Stack, stopwatch: Stopwatch): World {
  const world: World = {
    scale,
    stack,
    books: openBooks(stack.databaseUrl),
    members: Array.from({ length: scale.members }, (_, member) => ({
      browser: memberBrowser(stack.appUrl, member),
      bank: null,
      detailsGiven: 0,
      isHeld: false,
      isSuspended: false,
      hasJoined: member < scale.members - scale.friends,
    })),
    console: networksConsole(stack.sandboxUrl, stack.accounts),
    operator: operatorOf(stack, randomOf(scale.seed, "operator"), () => world.step?.kill === "operator"),
    tally: emptyTally(),
    sales: [],
    references: new Map(),
    payouts: [],
    invitations: [],
    claims: [],
    differences: [],
    comparisons: { accounts: 0, timelines: 0, pages: 0 },
    stopwatch,
    step: null,
  };
  return world;
}

/** Returns what a member can withdraw: all that was ever payable, less what is asked for or paid. */
export function payableOf({ sales, payouts, invitations }: World, member: number): number {
  const lines = sales.filter(({ plan }) => plan.member === member).flatMap((sale) => sale.lines);
  const earned = lines.filter(({ state }) => state === "payable" || state === "paid");
  const taken = payouts.filter((payout) => payout.member === member && payout.state !== "over");
  const bonuses = bonusesOf(sales, invitations).filter((bonus) => bonus.member === member && bonus.state === "payable");
  return (
    sum(earned.map((line) => line.cashbackPence)) +
    sum(bonuses.map(({ pence }) => pence)) -
    sum(taken.map((payout) => payout.amountPence))
  );
}

const AT_ONCE = 8;

/** Does work of many, a few at a time. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const workers = Array.from({ length: Math.min(AT_ONCE, left.length) }, async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  });
  await Promise.all(workers);
}

/** A network at which nothing is wrong. */
export const NO_FAULTS = {
  ...{ down: false, refuse: 0, retryAfterSeconds: 30, fail: 0, hang: 0, half: 0, malform: 0, clockSkewSeconds: 0 },
};
