/**
 * Accounts, legs and transfers of the ledger (C4, docs/ledger.md). A positive amount goes into an account and a negative one out of it; the legs of a
 * transfer sum to zero. A member's balance is what they have; a network's is negative by what it owes or has paid.
 */
import { pence, sumPence, type Pence } from "../money/money.ts";

export const MEMBER_ACCOUNTS = [
  "member_tracked",
  "member_confirmed",
  "member_payable",
  "member_in_transit",
  "member_paid",
] as const;
export const NETWORK_ACCOUNTS = ["network_expected", "network_approved", "network_received"] as const;
export const CLUB_ACCOUNTS = [
  "club_expected",
  "club_approved",
  "club_earned",
  "club_given_up",
  "club_bonuses",
  "club_goodwill",
] as const;
export const PAYMENT_ACCOUNTS = ["card_received", "payment_held", "payment_disputed", "provider_fees"] as const;
export const GIFT_CARD_ACCOUNTS = [
  "issuer_float",
  "club_float_paid",
  "club_card_commission",
  "club_card_discounts",
  "club_card_cashback",
  "club_card_fees",
  "club_card_losses",
  "club_card_payouts",
  "club_dispute_losses",
] as const;

export type MemberAccountKind = (typeof MEMBER_ACCOUNTS)[number];
export type NetworkAccountKind = (typeof NETWORK_ACCOUNTS)[number];
export type ClubAccountKind = (typeof CLUB_ACCOUNTS)[number];
export type PaymentAccountKind = (typeof PAYMENT_ACCOUNTS)[number];
export type GiftCardAccountKind = (typeof GIFT_CARD_ACCOUNTS)[number];
export type AccountKind =
  | MemberAccountKind
  | NetworkAccountKind
  | ClubAccountKind
  | PaymentAccountKind
  | GiftCardAccountKind;

/** Names an account: there is one of each kind per owner; the accounts of the club and of payments have no owner. */
export type AccountRef =
  | { kind: MemberAccountKind; memberId: string }
  | { kind: NetworkAccountKind; networkId: string }
  | { kind: ClubAccountKind | PaymentAccountKind | GiftCardAccountKind };

export interface Leg {
  account: AccountRef;
  amountPence: Pence;
}

/** Why money moved. Each kind is described in docs/ledger.md. */
export type TransferKind =
  | "cashback_tracked"
  | "cashback_amended"
  | "cashback_confirmed"
  | "cashback_payable"
  | "cashback_paid"
  | "cashback_declined"
  | "cashback_reinstated"
  | "cashback_corrected"
  | "closure_given_up"
  | "payout_requested"
  | "payout_paid"
  | "payout_failed"
  | "payout_returned"
  | "bonus_confirmed"
  | "bonus_payable"
  | "bonus_reversed"
  | "goodwill_given"
  | "goodwill_reversed"
  | "payment_taken"
  | "payment_refunded"
  | "payment_refund_returned"
  | "dispute_withdrawn"
  | "dispute_reinstated"
  | "dispute_lost"
  | "dispute_reopened"
  | "dispute_fee"
  | "provider_fee"
  | "gift_card_sold"
  | "gift_card_reversed"
  | "gift_card_lost"
  | "gift_card_cashback_payable"
  | "gift_card_cashback_reversed"
  | "gift_card_cashback_restored"
  | "gift_card_charged_back"
  | "gift_card_charge_back_ended"
  | "issuer_float_paid";

export interface NewTransfer {
  /** Posting the same key again changes nothing, so a retry is always safe. At most 200 characters. */
  key: string;
  kind: TransferKind;
  legs: readonly Leg[];
  /** The row that the transfer was posted for. */
  cause: {
    kind:
      | "cashback_entry"
      | "payment"
      | "dispute"
      | "closure"
      | "payout"
      | "bonus"
      | "goodwill"
      | "gift_card_line"
      | "issuer_float";
    id: string;
  };
  /** When it happened; the time of posting is recorded beside it. */
  happenedAt: Date;
}

/** Returns the name of an account: `member_payable:<id>`, `club_earned`. */
export function accountName(account: AccountRef): string {
  return `${account.kind}${ownerOf(account) && `:${ownerOf(account)}`}`;
}

function ownerOf(account: AccountRef): string {
  if ("memberId" in account) return account.memberId;
  return "networkId" in account ? account.networkId : "";
}

/** Merges legs on the same account, drops those of zero, and sorts the rest by account. */
export function mergeLegs(legs: Iterable<Leg>): Leg[] {
  const merged = new Map<string, Leg>();
  for (const { account, amountPence } of legs) {
    const name = accountName(account);
    merged.set(name, { account, amountPence: pence((merged.get(name)?.amountPence ?? 0) + pence(amountPence)) });
  }
  return [...merged]
    .filter(([, leg]) => leg.amountPence !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, leg]) => leg);
}

/** Returns the legs that lead from position `from` to position `to`. */
export function differenceOf(from: Iterable<Leg>, to: Iterable<Leg>): Leg[] {
  const undone = [...from].map(({ account, amountPence }) => ({ account, amountPence: -amountPence }));
  return mergeLegs([...undone, ...to]);
}

/** Merges the legs of a transfer. @throws RangeError when nothing is left to move or the legs do not sum to zero. */
export function balancedLegs(legs: Iterable<Leg>): Leg[] {
  const merged = mergeLegs(legs);
  if (merged.length === 0) throw new RangeError("A transfer must move something.");
  const sum = sumPence(merged.map((leg) => leg.amountPence));
  if (sum !== 0) throw new RangeError(`A transfer must balance: its legs sum to ${sum} pence.`);
  return merged;
}
