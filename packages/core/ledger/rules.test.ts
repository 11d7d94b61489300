import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accountName,
  balancedLegs,
  CLUB_ACCOUNTS,
  differenceOf,
  MEMBER_ACCOUNTS,
  mergeLegs,
  NETWORK_ACCOUNTS,
  GIFT_CARD_ACCOUNTS,
  PAYMENT_ACCOUNTS,
  type AccountRef,
  type Leg,
} from "./rules.ts";

const accounts: AccountRef[] = [
  ...MEMBER_ACCOUNTS.flatMap((kind) => ["m1", "m2"].map((memberId) => ({ kind, memberId }))),
  ...NETWORK_ACCOUNTS.flatMap((kind) => ["n1", "n2"].map((networkId) => ({ kind, networkId }))),
  ...[...CLUB_ACCOUNTS, ...PAYMENT_ACCOUNTS, ...GIFT_CARD_ACCOUNTS].map((kind) => ({ kind })),
];
const payable: AccountRef = { kind: "member_payable", memberId: "m1" };
const paid: AccountRef = { kind: "member_paid", memberId: "m1" };
const earned: AccountRef = { kind: "club_earned" };
const leg = (account: AccountRef, amountPence: number): Leg => ({ account, amountPence });

const anyLegs = fc.array(
  fc.record({ account: fc.constantFrom(...accounts), amountPence: fc.integer({ min: -500, max: 500 }) }),
  { maxLength: 12 },
);
/** What stands on each account that anything stands on. */
function balancesOf(legs: Iterable<Leg>): Record<string, number> {
  const balances: Record<string, number> = {};
  for (const { account, amountPence } of legs)
    balances[accountName(account)] = (balances[accountName(account)] ?? 0) + amountPence;
  return Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0));
}

test("C4 each account has a distinct name with its owner", () => {
  expect(new Set(accounts.map(accountName)).size).toBe(accounts.length);
  expect([payable, { kind: "network_expected", networkId: "n2" } as const, earned].map(accountName)).toEqual([
    "member_payable:m1",
    "network_expected:n2",
    "club_earned",
  ]);
});

test("C4 the accounts are those of docs/ledger.md and of the database", () => {
  expect([
    ...MEMBER_ACCOUNTS,
    ...NETWORK_ACCOUNTS,
    ...CLUB_ACCOUNTS,
    ...PAYMENT_ACCOUNTS,
    ...GIFT_CARD_ACCOUNTS,
  ]).toEqual([
    ...["member_tracked", "member_confirmed", "member_payable", "member_in_transit", "member_paid"],
    ...["network_expected", "network_approved", "network_received"],
    ...["club_expected", "club_approved", "club_earned", "club_given_up", "club_bonuses", "club_goodwill"],
    ...["card_received", "payment_held", "payment_disputed", "provider_fees"],
    ...["issuer_float", "club_float_paid", "club_card_commission", "club_card_discounts", "club_card_cashback"],
    ...["club_card_fees", "club_card_losses", "club_card_payouts", "club_dispute_losses"],
  ]);
});

describe("C4 merging legs", () => {
  test("C4 one leg per account, none of zero, in the order of the accounts' names", () => {
    expect(
      mergeLegs([leg(payable, 5), leg(earned, -8), leg(paid, 2), leg(payable, -2), leg(paid, -2), leg(earned, 5)]),
    ).toEqual([leg(earned, -3), leg(payable, 3)]);
    expect(mergeLegs([])).toEqual([]);
  });

  test("C4 merging any legs in any order keeps the sum of each account", () => {
    fc.assert(
      fc.property(anyLegs, (legs) => {
        const merged = mergeLegs(legs);
        expect(balancesOf(merged)).toEqual(balancesOf(legs));
        expect(merged).toHaveLength(Object.keys(balancesOf(legs)).length);
        expect(merged.map(({ account }) => accountName(account))).toEqual(Object.keys(balancesOf(legs)).sort());
        expect(mergeLegs(legs.toReversed())).toEqual(merged);
      }),
    );
  });

  test.each([0.5, Number.NaN, 2 ** 53])("C4 %s is no amount of pence, and no sum of amounts becomes one", (amount) => {
    expect(() => mergeLegs([leg(payable, amount)])).toThrow(RangeError);
    expect(() => mergeLegs([leg(payable, Number.MAX_SAFE_INTEGER), leg(payable, 1)])).toThrow(RangeError);
  });
});

test("C4 the difference of two positions leads from one to the other", () => {
  expect(differenceOf([leg(payable, 600), leg(earned, -600)], [leg(paid, 600), leg(earned, -600)])).toEqual([
    leg(paid, 600),
    leg(payable, -600),
  ]);
  fc.assert(
    fc.property(anyLegs, anyLegs, (from, to) => {
      expect(balancesOf([...from, ...differenceOf(from, to)])).toEqual(balancesOf(to));
      expect(differenceOf(from, from)).toEqual([]);
    }),
  );
});

describe("C4 a transfer balances and moves something", () => {
  test("C4 balanced legs are returned merged", () => {
    expect(balancedLegs([leg(payable, 600), leg(earned, -500), leg(earned, -100)])).toEqual([
      leg(earned, -600),
      leg(payable, 600),
    ]);
  });

  test("C4 a transfer that does not balance is refused, and the error says by how much", () => {
    expect(() => balancedLegs([leg(payable, 600), leg(earned, -599)])).toThrow(/must balance: its legs sum to 1 pence/);
    expect(() => balancedLegs([leg(earned, -1)])).toThrow(/sum to -1 pence/);
  });

  test("C4 a transfer of nothing is refused, even if its legs cancel each other out", () => {
    expect(() => balancedLegs([])).toThrow(/must move something/);
    expect(() => balancedLegs([leg(payable, 5), leg(payable, -5)])).toThrow(/must move something/);
  });
});
