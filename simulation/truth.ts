/**
 * What must be true of every member, worked out from the plan and the shops' rates alone: none of the club's code is used. The club is compared with it.
 */
import { BOOST_ENDS_ON_DAY, exchangeRateMicros, type NetworkSlug } from "./shops.ts";
import type { PlannedPurchase } from "./plan.ts";

export type LineState = "tracked" | "confirmed" | "payable" | "paid" | "declined";

/** A purchase, or a later correction of one, as the member sees it. */
export interface Line {
  sale: Sale;
  isCorrection: boolean;
  state: LineState;
  salePence: number;
  cashbackPence: number;
  commissionPence: number;
  /** Days in London. */
  on: Partial<Record<LineState, string>>;
}

/** What a network says of a sale. */
interface Standing {
  status: "pending" | "approved" | "declined";
  saleMinor: number;
  commissionMinor: number;
  isPaid: boolean;
  /** When the network last changed its amounts: Rakuten's hold begins then. */
  changedAt: Date;
}

/** A sale as its network has it, and as the club knows it. */
export interface Sale extends Standing {
  plan: PlannedPurchase;
  clickedAt: Date;
  purchasedAt: Date;
  /** The engine's id of it; null until it is reported. */
  networkId: number | null;
  /** Events that have happened, of the plan's. */
  eventsDone: number;
  /** The step in which the last event happened. */
  eventAt: Date;
  /** The standing that the club has read last; null: it knows nothing of the sale. */
  seen: Standing | null;
  /** Whether that is the current one. */
  isSeen: boolean;
  /** A claim that is with the network names its order: it counts as the click's, although the reference was lost. */
  isClaimed: boolean;
  lines: Line[];
}

/** A friend's registration by a member's link. */
export interface Invitation {
  friend: number;
  inviter: number;
  joinedAt: Date;
  /** `held`: bonuses wait for the operator, from the first purchase on. */
  hold: "none" | "held" | "refused";
}

export interface Payout {
  member: number;
  amountPence: number;
  lines: readonly Line[];
  state: "requested" | "processing" | "paid" | "over";
  batch: number | null;
  reference: string | null;
}

const DAY_MS = 86_400_000;
const PAYMENT_DAY = 20;
const londonDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London" });

export function dayOf(at: Date): string {
  return londonDay.format(at);
}

/** Returns what a sale is worth to its network: a percentage rounded half up, or the fixed sum. */
export function commissionOf({ shop }: PlannedPurchase, saleMinor: number): number {
  return "pence" in shop.commission
    ? shop.commission.pence
    : Math.floor((saleMinor * shop.commission.bp) / 10_000 + 0.5);
}

/** Returns the member's cashback: the rate at the click, on the price in pounds, never more than the cap, rounded down. */
export function cashbackOf({ plan: { shop }, clickedAt }: Sale, salePence: number): number {
  if (shop.rate.kind === "fixed") return shop.rate.pence;
  const { bp, boostBp, capPence } = shop.rate;
  const rate = boostBp !== null && clickedAt.getUTCDate() < BOOST_ENDS_ON_DAY ? boostBp : bp;
  const earned = Math.floor((salePence * rate) / 10_000);
  return capPence === null ? earned : Math.min(earned, capPence);
}

export function newSale(plan: PlannedPurchase, clickedAt: Date, purchasedAt: Date): Sale {
  return {
    plan,
    clickedAt,
    purchasedAt,
    networkId: null,
    status: "pending",
    saleMinor: plan.salePence,
    commissionMinor: commissionOf(plan, plan.salePence),
    isPaid: false,
    changedAt: purchasedAt,
    eventsDone: 0,
    eventAt: purchasedAt,
    seen: null,
    isSeen: false,
    isClaimed: false,
    lines: [],
  };
}

/** Returns whether a sale is approved and paid for at a moment. Rakuten says neither: the calendar does. */
function decisionOn(sale: Sale, seen: Standing, at: Date, holdDays: number): Pick<Standing, "status" | "isPaid"> {
  if (sale.plan.shop.network !== "rakuten" || seen.status === "declined") return seen;
  const approvedFrom = new Date(seen.changedAt.getTime() + holdDays * DAY_MS);
  const payday = (months: number) =>
    Date.UTC(approvedFrom.getUTCFullYear(), approvedFrom.getUTCMonth() + months, PAYMENT_DAY);
  const paidFrom = payday(0) >= approvedFrom.getTime() ? payday(0) : payday(1);
  return { status: at >= approvedFrom ? "approved" : "pending", isPaid: at.getTime() >= paidFrom };
}

/** The club reads the network's report about a sale. */
export function see(sale: Sale): void {
  const { status, saleMinor, commissionMinor, isPaid, changedAt } = sale;
  sale.seen = { status, saleMinor, commissionMinor, isPaid, changedAt };
  sale.isSeen = true;
}

/** What the club has read comes into force at a moment: the member's lines follow. */
export function settle(sale: Sale, at: Date, holdDays: number): void {
  if (sale.seen === null || !(sale.plan.reference === "own" || sale.isClaimed)) return;
  const day = dayOf(at);
  const { status, isPaid } = decisionOn(sale, sale.seen, at, holdDays);
  const micros = exchangeRateMicros(sale.plan.shop.currency, sale.purchasedAt);
  const pounds = (minor: number) => Math.floor((minor * micros) / 1_000_000);
  const salePence = pounds(sale.seen.saleMinor);
  const now = {
    salePence,
    cashbackPence: cashbackOf(sale, salePence),
    commissionPence: pounds(sale.seen.commissionMinor),
  };
  const [line] = sale.lines;
  const to = (one: Line, state: LineState) => {
    one.state = state;
    one.on[state] = day;
  };
  if (!line) {
    const first: Line = { sale, isCorrection: false, state: "tracked", ...now, on: { tracked: day } };
    sale.lines.push(first);
    return settle(sale, at, holdDays);
  }
  if (line.state === "declined") return;
  if (line.state === "payable" || line.state === "paid") {
    const wanted = status === "declined" ? { salePence: 0, cashbackPence: 0, commissionPence: 0 } : now;
    const missing = (field: keyof typeof wanted) => wanted[field] - sum(sale.lines.map((one) => one[field]));
    const [cashbackPence, commissionPence] = [missing("cashbackPence"), missing("commissionPence")];
    if (cashbackPence === 0 && commissionPence === 0) return;
    sale.lines.push({
      ...{ sale, isCorrection: true, state: "payable", on: { payable: day } },
      ...{ salePence: missing("salePence"), cashbackPence, commissionPence },
    });
    return;
  }
  if (status === "declined") return to(line, "declined");
  Object.assign(line, now);
  if (status !== "approved") return;
  if (line.state === "tracked") to(line, "confirmed");
  if (isPaid) to(line, "payable");
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** What the club promises to who joins by a link, and to who invited them. */
export const PROGRAMME = { friendPence: 500, inviterPence: 700, minCashbackPence: 100, days: 60, maxPerYear: 20 };

/** All that decides about money. */
export interface Truth {
  readonly sales: readonly Sale[];
  readonly payouts: readonly Payout[];
  readonly invitations: readonly Invitation[];
}

export interface Bonus {
  member: number;
  pence: number;
  state: "confirmed" | "payable";
}

/** Returns the bonuses that are worth money: those whose friend has a purchase that counts, is confirmed, and was not taken back. */
export function bonusesOf(sales: readonly Sale[], invitations: readonly Invitation[]): Bonus[] {
  return invitations.flatMap(({ friend, inviter, joinedAt, hold }) => {
    const until = new Date(joinedAt.getTime() + PROGRAMME.days * DAY_MS);
    const counting = sales.filter(
      ({ plan, purchasedAt, lines }) =>
        plan.member === friend &&
        purchasedAt < until &&
        sum(lines.filter(({ state }) => state !== "declined").map((line) => line.cashbackPence)) >=
          PROGRAMME.minCashbackPence,
    );
    const states = counting.map(({ lines }) => lines[0]?.state);
    const isPayable = states.some((state) => state === "payable" || state === "paid");
    if (hold !== "none" || !(isPayable || states.includes("confirmed"))) return [];
    const state = isPayable ? ("payable" as const) : ("confirmed" as const);
    return [
      { member: friend, pence: PROGRAMME.friendPence, state },
      { member: inviter, pence: PROGRAMME.inviterPence, state },
    ];
  });
}

/** Returns what each account of the books must hold, by kind and owner; accounts that hold nothing are left out. */
export function accountsOf({ sales, payouts, invitations }: Truth): Map<string, number> {
  const accounts = new Map<string, number>();
  const add = (kind: string, owner: string, pence: number) =>
    accounts.set(`${kind} ${owner}`, (accounts.get(`${kind} ${owner}`) ?? 0) + pence);
  const byState = {
    tracked: ["member_tracked", "network_expected", "club_expected"],
    confirmed: ["member_confirmed", "network_approved", "club_approved"],
    payable: ["member_payable", "network_received", "club_earned"],
    paid: ["member_payable", "network_received", "club_earned"],
  } as const;
  for (const { state, sale, cashbackPence, commissionPence } of sales.flatMap(({ lines }) => lines)) {
    if (state === "declined") continue;
    const [member, network, club] = byState[state];
    add(member, memberName(sale.plan.member), cashbackPence);
    add(network, sale.plan.shop.network satisfies NetworkSlug, -commissionPence);
    add(club, "", commissionPence - cashbackPence);
  }
  for (const { member, pence, state } of bonusesOf(sales, invitations)) {
    add(`member_${state}`, memberName(member), pence);
    add("club_bonuses", "", -pence);
  }
  for (const { member, amountPence, state } of payouts) {
    if (state === "over") continue;
    add("member_payable", memberName(member), -amountPence);
    add(state === "paid" ? "member_paid" : "member_in_transit", memberName(member), amountPence);
  }
  return new Map([...accounts].filter(([, pence]) => pence !== 0));
}

export function memberName(member: number): string {
  return `Member ${String(member).padStart(4, "0")}`;
}
