import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { balancedLegs } from "../ledger/rules.ts";
import {
  CARD_TRANSITIONS,
  defaultRewardBp,
  holdReason,
  isOffered,
  limitProblem,
  LIMITS,
  LINE_TRANSITIONS,
  lineLegs,
  nextLineAttempt,
  orderProgress,
  priceOf,
  recheckProblem,
  refundWay,
  troubleOf,
  type CardState,
} from "./rules.ts";

const functionText = readFileSync(
  new URL("../../db/functions/check_gift_card_line_change.sql", import.meta.url),
  "utf8",
);
const pairsIn = (text: string) => [...text.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
const pairsOf = (table: Record<string, readonly string[]>) =>
  Object.entries(table).flatMap(([from, tos]) => tos.map((to) => `${from} -> ${to}`));

test("G4 the database's lifecycle has the transitions of the rules, of lines and of cards", () => {
  const [lines = "", cards = ""] = functionText.split("if old.card_state <> new.card_state");
  expect(pairsIn(lines).sort()).toEqual(pairsOf(LINE_TRANSITIONS).sort());
  expect(pairsIn(cards).sort()).toEqual(pairsOf(CARD_TRANSITIONS).sort());
});

test("G4 no line goes from a refund to a card, or back", () => {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of LINE_TRANSITIONS[from as keyof typeof LINE_TRANSITIONS])
      if (!seen.has(to)) reach(to, seen.add(to));
    return seen;
  };
  expect([...reach("refunding")].sort()).toEqual(["charged_back", "refunded", "refunding"]);
  expect([...reach("refunded")]).toEqual([]);
  expect([...reach("cancelled")].sort()).toEqual(["charged_back", "refunded", "refunding"]);
});

const terms = { issuerDiscountBp: 800, rewardBp: 475, feePence: 50, rewardKind: "discount" as const };
const fixed = { kind: "fixed", amountsPence: [1000, 2500] } as const;

describe("G4 prices", () => {
  test("G4 a discount lowers the price, cashback is the member's alone, and both round towards the buyer's whole penny", () => {
    expect(priceOf(terms, 2500, { isMember: true })).toEqual({
      ...{ facePence: 2500, pricePence: 2382, feePence: 50, cashbackPence: 0, costPence: 2300 },
    });
    const cashback = { ...terms, rewardKind: "cashback" as const };
    expect(priceOf(cashback, 2500, { isMember: true })).toMatchObject({ pricePence: 2500, cashbackPence: 118 });
    expect(priceOf(cashback, 2500, { isMember: false })).toMatchObject({ pricePence: 2500, cashbackPence: 0 });
  });

  test("G4 every card of every product posts a balanced sale, and never sells below cost", () => {
    const cards: CardState[] = ["issued", "lost"];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50_000 }),
        fc.integer({ min: 0, max: 5000 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 1000 }),
        fc.constantFrom(...cards),
        fc.boolean(),
        (facePence, issuerDiscountBp, isCashback, feePence, cardState, isPayout) => {
          const price = priceOf(
            {
              issuerDiscountBp,
              rewardBp: defaultRewardBp(issuerDiscountBp),
              feePence,
              rewardKind: isCashback ? "cashback" : "discount",
            },
            facePence,
            { isMember: true },
          );
          expect(price.pricePence - price.cashbackPence).toBeGreaterThanOrEqual(price.costPence);
          const cashbackState = price.cashbackPence > 0 && cardState === "issued" ? "confirmed" : "none";
          const state = cardState === "issued" ? "issued" : "refunded";
          balancedLegs(lineLegs({ ...price, state, cardState, cashbackState, memberId: "m", isPayout }));
          if (cardState !== "issued")
            balancedLegs(
              lineLegs({
                ...{ ...price, state: "charged_back", cardState, cashbackState: "none" },
                ...{ memberId: "m", isPayout: false },
              }),
            );
        },
      ),
    );
  });
});

test("G4 amounts are those of the list, or of the range in its steps", () => {
  expect([1000, 2500, 2000, 0].map((amount) => isOffered(fixed, amount))).toEqual([true, true, false, false]);
  const range = { kind: "range", minPence: 500, maxPence: 1000, stepPence: 100 } as const;
  expect([400, 500, 550, 600, 1000, 1100].map((amount) => isOffered(range, amount))).toEqual([
    ...[false, true, false, true, true, false],
  ]);
});

test("G4 limits hold per card, per buyer's day in pounds and in cards, and per order", () => {
  const none = { pence: 0, cards: 0 };
  expect(limitProblem([LIMITS.cardPence, LIMITS.cardPence], none)).toBeNull();
  expect(limitProblem([LIMITS.cardPence + 1], none)).toBe("card-too-large");
  expect(limitProblem([1000], { pence: LIMITS.dayPence - 999, cards: 1 })).toBe("too-much-today");
  expect(limitProblem([100, 100], { pence: 0, cards: 19 })).toBe("too-many-today");
  expect(
    limitProblem(
      Array.from({ length: 11 }, () => 100),
      none,
    ),
  ).toBe("too-many-lines");
});

test("G4 a paid order waits for a person when it looks like a stolen card", () => {
  const day = 24 * 3_600_000;
  const usual = { totalPence: 5000, memberForMs: 400 * day, ordersInHour: 1, exceeds: null, hasDisputed: false };
  expect(holdReason(usual)).toBeNull();
  expect(holdReason({ ...usual, totalPence: 75_001 })).toBe("high-value");
  expect(holdReason({ ...usual, ordersInHour: 5 })).toBe("many-orders");
  expect(holdReason({ ...usual, exceeds: "too-much-today" })).toBe("high-value");
  expect(holdReason({ ...usual, exceeds: "too-many-today" })).toBe("many-orders");
  expect(holdReason({ ...usual, totalPence: 20_001, memberForMs: day - 1 })).toBe("new-member");
  expect(holdReason({ ...usual, totalPence: 20_001, memberForMs: null })).toBe("new-member");
  expect(holdReason({ ...usual, hasDisputed: true })).toBe("disputed-before");
});

test("G4 the frozen price holds for half an hour, but not for what is gone", () => {
  const placedAt = new Date("2026-11-20T10:00:00Z");
  const at = (minutes: number) => ({ placedAt, now: new Date(placedAt.getTime() + minutes * 60_000), isMember: true });
  const line = priceOf(terms, 2500, { isMember: true });
  const product = { ...terms, amounts: fixed, isSold: true };
  const dearer = { ...product, rewardBp: 100 };
  expect(recheckProblem(line, product, at(600))).toBeNull();
  expect(recheckProblem(line, dearer, at(30))).toBeNull();
  expect(recheckProblem(line, dearer, at(31))).toBe("price-changed");
  expect(recheckProblem(line, { ...product, rewardBp: 700 }, at(31))).toBeNull();
  expect(recheckProblem(line, { ...product, isSold: false }, at(1))).toBe("not-sold-any-more");
  const gone = { ...product, amounts: { kind: "fixed", amountsPence: [1000] } as const };
  expect(recheckProblem(line, gone, at(1))).toBe("denomination-unavailable");
});

test("G4 an order is what its lines are", () => {
  expect(orderProgress(["awaiting_payment", "awaiting_payment"])).toBe("awaiting-payment");
  expect(orderProgress(["cancelled"])).toBe("cancelled");
  expect(orderProgress(["held", "issued"])).toBe("held");
  expect(orderProgress(["issued", "refunding"])).toBe("issuing");
  expect(orderProgress(["issued", "issued"])).toBe("issued");
  expect(orderProgress(["issued", "refunded"])).toBe("partly-issued");
  expect(orderProgress(["refunded", "refunded"])).toBe("refunded");
  expect(orderProgress(["refunded", "charged_back"])).toBe("charged-back");
  expect(orderProgress(["issued", "charged_back"])).toBe("partly-issued");
});

test("G4 an order of which no card is made any more, and whose money is not back yet, is being refunded", () => {
  expect(orderProgress(["reversing"])).toBe("refunding");
  expect(orderProgress(["refunding"])).toBe("refunding");
  expect(orderProgress(["refunding", "refunded", "charged_back", "cancelled"])).toBe("refunding");
  expect(orderProgress(["refunding", "held"])).toBe("held");
  for (const other of ["awaiting_payment", "issuing", "issued"] as const)
    expect(orderProgress(["refunding", other]), other).toBe("issuing");
});

test("G4 a line is looked at again for ever, at most every half hour", () => {
  const now = new Date("2026-11-20T10:00:00Z");
  const waits = [1, 2, 3, 10, 1000].map(
    (attempts) => (nextLineAttempt(attempts, now).getTime() - now.getTime()) / 1000,
  );
  expect(waits).toEqual([15, 30, 60, 1800, 1800]);
});

describe("G4 a payment that is disputed or was refunded elsewhere", () => {
  const fine = {
    ...{
      isDisputed: false,
      isLost: false,
      amountPence: 5000,
      refundedPence: 0,
      refundedLinesPence: 0,
      claimedPence: 0,
    },
  };

  test("G4 no card is made of it", () => {
    expect(troubleOf(fine)).toBeNull();
    expect(troubleOf({ ...fine, isDisputed: true })).toBe("disputed");
    expect(troubleOf({ ...fine, isLost: true })).toBe("disputed");
    expect(troubleOf({ ...fine, refundedPence: 2500, refundedLinesPence: 2500 })).toBeNull();
    expect(troubleOf({ ...fine, refundedPence: 2501, refundedLinesPence: 2500 })).toBe("refunded-elsewhere");
  });

  test("G4 a refund waits for an open dispute, and is never sent beside a lost one", () => {
    expect(refundWay(fine, 2500)).toBe("refund");
    expect(refundWay({ ...fine, isDisputed: true }, 2500)).toBe("wait");
    expect(refundWay({ ...fine, isLost: true, isDisputed: true, claimedPence: 5000 }, 2500)).toBe("wait");
    expect(refundWay({ ...fine, isLost: true, claimedPence: 5000 }, 2500)).toBe("charged-back");
    // A part was lost: what is left of the payment can be refunded, and not a penny more.
    expect(refundWay({ ...fine, isLost: true, claimedPence: 2500 }, 2500)).toBe("refund");
    expect(refundWay({ ...fine, isLost: true, claimedPence: 2501 }, 2500)).toBe("charged-back");
    expect(refundWay({ ...fine, isLost: true, claimedPence: 2500, refundedPence: 1 }, 2500)).toBe("charged-back");
  });
});
