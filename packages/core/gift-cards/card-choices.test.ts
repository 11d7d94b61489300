import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOffered, LIMITS, type Terms } from "./rules.ts";
import { choicesWithin, costOf } from "./card-choices.ts";

const terms: Terms = { issuerDiscountBp: 800, rewardKind: "discount", rewardBp: 475, feePence: 0 };
const fixed = { kind: "fixed", amountsPence: [1000, 2500, 5000] } as const;

describe("C6 cashback as a gift card: the values that a balance pays for", () => {
  test("C6 a card is within the balance to the penny, its discount and its fee counted", () => {
    expect(costOf(terms, 2500)).toBe(2382);
    expect(choicesWithin({ ...terms, amounts: fixed }, 2381)).toEqual({ kind: "fixed", amountsPence: [1000] });
    expect(choicesWithin({ ...terms, amounts: fixed }, 2382)).toEqual({ kind: "fixed", amountsPence: [1000, 2500] });
    expect(choicesWithin({ ...terms, feePence: 50, amounts: fixed }, 2431)).toMatchObject({ amountsPence: [1000] });
    expect(choicesWithin({ ...terms, feePence: 50, amounts: fixed }, 2432)).toMatchObject({
      amountsPence: [1000, 2500],
    });
    expect(choicesWithin({ ...terms, amounts: fixed }, 952)).toBeNull();
    expect(choicesWithin({ ...terms, rewardKind: "cashback", amounts: fixed }, 2499)).toMatchObject({
      amountsPence: [1000],
    });
  });

  test("C6 of a range the highest step that is within the balance, the range and the limit of a card", () => {
    const cases = fc.record({
      minPence: fc.integer({ min: 1, max: 3000 }),
      steps: fc.integer({ min: 0, max: 700 }),
      stepPence: fc.constantFrom(1, 50, 100, 500),
      rewardBp: fc.integer({ min: 0, max: 2000 }),
      feePence: fc.integer({ min: 0, max: 200 }),
      payablePence: fc.integer({ min: 0, max: 60_000 }),
    });
    fc.assert(
      fc.property(cases, ({ minPence, steps, stepPence, rewardBp, feePence, payablePence }) => {
        const amounts = { kind: "range", minPence, maxPence: minPence + steps * stepPence, stepPence } as const;
        const offer = { ...terms, issuerDiscountBp: 2000, rewardBp, feePence, amounts };
        const isWithin = (face: number) =>
          isOffered(amounts, face) && face <= LIMITS.cardPence && costOf(offer, face) <= payablePence;
        const within = choicesWithin(offer, payablePence);
        if (within === null) {
          expect(isWithin(minPence)).toBe(false);
          return;
        }
        if (within.kind === "fixed") throw new Error("a range stays a range");
        expect(isWithin(within.maxPence)).toBe(true);
        expect(isWithin(within.maxPence + stepPence)).toBe(false);
      }),
    );
  });
});
