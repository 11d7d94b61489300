import { expect, it } from "vitest";
import { demoCards } from "../../bin/demo-access.mjs";
import { behaviourOf } from "./test-cards.ts";

it("P1 the cards that npm start and README.md name do what is said of them", () => {
  const outcomes = demoCards.map(({ number }) => {
    const { challenge, refusal } = behaviourOf(number.replaceAll(" ", ""));
    return [challenge, refusal?.message ?? null];
  });
  expect(outcomes).toEqual([
    [false, null],
    [false, "Your card has insufficient funds."],
    [true, null],
  ]);
});
