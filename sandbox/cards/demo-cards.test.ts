import { expect, test } from "vitest";
import { demoCards } from "../../bin/demo-access.mjs";
import { behaviourOf } from "./test-cards.ts";

test("P1 the cards that npm start prints have the outcomes that it prints", () => {
  const outcomes = demoCards.map(({ number }) => {
    const { challenge, refusal } = behaviourOf(number.replaceAll(" ", ""));
    return { challenge, decline: refusal?.message ?? null };
  });
  expect(outcomes).toEqual([
    { challenge: false, decline: null },
    { challenge: false, decline: "Your card has insufficient funds." },
    { challenge: true, decline: null },
  ]);
});
