/** The lifecycle of cashback (C3), and what each state means in the ledger (docs/ledger.md). Pure. */
import type { Leg } from "../ledger/rules.ts";
import type { NetworkStatus } from "../networks/network-transaction.ts";
import type { DeclineReason } from "../networks/decline-reason.ts";
import type { Pence } from "../money/money.ts";
import type { CashbackState } from "./cashback-view.ts";

/**
 * The transitions of a cashback entry; the database enforces the same pairs. From payable on an entry's amounts are fixed: a later change by the
 * network is a correction, an entry of its own that starts payable. A declined entry is reinstated if the retailer changes its mind.
 */
export const CASHBACK_TRANSITIONS = {
  tracked: ["confirmed", "declined"],
  confirmed: ["payable", "declined"],
  payable: ["paid"],
  paid: [],
  declined: ["tracked"],
} as const satisfies Record<CashbackState, readonly CashbackState[]>;

/** The first state of an entry. */
export const INITIAL_STATES = { purchase: "tracked", correction: "payable" } as const satisfies Record<
  string,
  CashbackState
>;

export function canGo(from: CashbackState, to: CashbackState): boolean {
  return (CASHBACK_TRANSITIONS[from] as readonly CashbackState[]).includes(to);
}

/** The amounts of a purchase. The network pays the commission to the club, which keeps the difference to the cashback. */
export interface CashbackAmounts {
  salePence: Pence;
  cashbackPence: Pence;
  commissionPence: Pence;
}

export interface CashbackPosition extends Pick<CashbackAmounts, "cashbackPence" | "commissionPence"> {
  state: CashbackState;
}

const ACCOUNTS = {
  tracked: { member: "member_tracked", network: "network_expected", club: "club_expected" },
  confirmed: { member: "member_confirmed", network: "network_approved", club: "club_approved" },
  payable: { member: "member_payable", network: "network_received", club: "club_earned" },
  paid: { member: "member_paid", network: "network_received", club: "club_earned" },
} as const;

/**
 * Returns the ledger position of an entry. A change of the entry posts the difference between two positions, so the postings of an entry always sum to
 * its current position.
 */
export function positionLegs(
  { state, cashbackPence, commissionPence }: CashbackPosition,
  { memberId, networkId }: { memberId: string; networkId: string },
): Leg[] {
  if (state === "declined") return [];
  const accounts = ACCOUNTS[state];
  return [
    { account: { kind: accounts.member, memberId }, amountPence: cashbackPence },
    { account: { kind: accounts.network, networkId }, amountPence: -commissionPence },
    { account: { kind: accounts.club }, amountPence: commissionPence - cashbackPence },
  ];
}

export type CashbackChangeKind =
  | "tracked"
  | "amended"
  | "confirmed"
  | "payable"
  | "paid"
  | "declined"
  | "reinstated"
  | "corrected";

/** One step of an entry, with its new state and amounts. `corrected` creates a new entry with these amounts instead. */
export interface CashbackStep extends CashbackAmounts {
  change: CashbackChangeKind;
  state: CashbackState;
  reason: DeclineReason | null;
}

export interface CashbackNow extends CashbackAmounts {
  state: CashbackState;
  reason: DeclineReason | null;
}

/** The latest revision of a transaction, in pence. */
export interface CashbackTarget extends CashbackAmounts {
  status: NetworkStatus;
  paidToPublisher: boolean;
  reason: DeclineReason | null;
}

/**
 * Returns the steps that bring an entry in line with the network's latest revision; none when they agree. `entry` is null for an unknown purchase;
 * `corrected` is the sum of the corrections made since it became payable. A confirmed purchase stays confirmed until it is declined, even if the
 * network sets it back to pending. What is taken back after that is corrected at once; what is added, once the network has approved and paid it: until then
 * it is the network's money.
 */
export function planCashback(
  entry: CashbackNow | null,
  corrected: CashbackAmounts,
  target: CashbackTarget,
): CashbackStep[] {
  const isRefused = target.status === "declined" || target.status === "deleted";
  if (!entry && target.status === "deleted") return [];
  if (entry && (entry.state === "payable" || entry.state === "paid"))
    return planCorrection(entry, corrected, target, isRefused);

  const amounts = {
    salePence: target.salePence,
    cashbackPence: target.cashbackPence,
    commissionPence: target.commissionPence,
  };
  const steps: CashbackStep[] = [];
  let state = entry?.state ?? null;
  const step = (
    change: CashbackChangeKind,
    next: CashbackState,
    values: CashbackAmounts = amounts,
    reason = isRefused ? (target.reason ?? "not_given") : target.reason,
  ) => {
    const { salePence, cashbackPence, commissionPence } = values;
    steps.push({ change, state: next, salePence, cashbackPence, commissionPence, reason });
    state = next;
  };

  if (entry?.state === "declined") {
    if (isRefused) {
      if (entry.reason !== (target.reason ?? "not_given")) step("amended", "declined", entry);
      return steps;
    }
    step("reinstated", "tracked");
  } else if (!entry) step("tracked", "tracked", amounts, target.status === "declined" ? null : target.reason);
  else if (!isRefused && !sameAmounts(entry, amounts)) step("amended", entry.state, amounts, "amended");

  if (isRefused) step("declined", "declined", entry ?? amounts);
  else if (target.status === "approved") {
    if (state === "tracked") step("confirmed", "confirmed");
    if (target.paidToPublisher) step("payable", "payable");
  }
  return steps;
}

function planCorrection(
  entry: CashbackNow,
  corrected: CashbackAmounts,
  target: CashbackTarget,
  isRefused: boolean,
): CashbackStep[] {
  const wanted = isRefused ? { salePence: 0, cashbackPence: 0, commissionPence: 0 } : target;
  const difference = {
    salePence: wanted.salePence - entry.salePence - corrected.salePence,
    cashbackPence: wanted.cashbackPence - entry.cashbackPence - corrected.cashbackPence,
    commissionPence: wanted.commissionPence - entry.commissionPence - corrected.commissionPence,
  };
  if (difference.cashbackPence === 0 && difference.commissionPence === 0) return [];
  const isIncrease = difference.cashbackPence > 0 || (difference.cashbackPence === 0 && difference.commissionPence > 0);
  if (isIncrease && !isRefused && !(target.status === "approved" && target.paidToPublisher)) return [];
  return [
    {
      change: "corrected",
      state: "payable",
      ...difference,
      reason: isRefused ? (target.reason ?? "not_given") : "amended",
    },
  ];
}

function sameAmounts(a: CashbackAmounts, b: CashbackAmounts): boolean {
  return a.salePence === b.salePence && a.cashbackPence === b.cashbackPence && a.commissionPence === b.commissionPence;
}
