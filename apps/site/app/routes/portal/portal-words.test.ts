import { LINE_TRANSITIONS, type LineState, type Terms } from "@farthing/core/gift-cards/rules.ts";
import { expect, test } from "vitest";
import {
  amountsInWords,
  basketProblem,
  checkoutProblem,
  exampleValue,
  expiryInWords,
  isMoving,
  lineInWords,
  orderInWords,
  orderMark,
  rangeHelp,
  rewardInWords,
} from "./portal-words.ts";

const fixed = { kind: "fixed", amountsPence: [1000, 2000, 5000] } as const;
const range = { kind: "range", minPence: 500, maxPence: 20_000, stepPence: 100 } as const;
const discount: Terms = { issuerDiscountBp: 800, rewardKind: "discount", rewardBp: 400, feePence: 0 };
const cashback: Terms = { ...discount, rewardKind: "cashback" };

test("G2 values are said in words, and none above what one card may hold", () => {
  expect(amountsInWords(fixed)).toBe("£10, £20 or £50");
  expect(amountsInWords({ kind: "fixed", amountsPence: [1000, 60_000] })).toBe("£10");
  expect(amountsInWords(range)).toBe("£5 to £200");
  expect(amountsInWords({ ...range, maxPence: 100_000 })).toBe("£5 to £500");
  expect(rangeHelp(range)).toBe("From £5 to £200, in steps of £1");
  expect(rangeHelp({ ...range, stepPence: 1 })).toBe("From £5 to £200, to the penny");
});

test("G2 the example is a value that the card may have, near £25", () => {
  expect(exampleValue(fixed)).toBe(2000);
  expect(exampleValue(range)).toBe(2500);
  expect(exampleValue({ ...range, minPence: 1000, stepPence: 700 })).toBe(2400);
  expect(exampleValue({ ...range, minPence: 5000 })).toBe(5000);
  expect(exampleValue({ ...range, maxPence: 2000, stepPence: 1000 })).toBe(1500);
});

test("G2 a discount is everybody's, cashback the members': a visitor is promised none", () => {
  expect(rewardInWords(discount, range, { isMember: false })).toEqual({
    short: "4% off",
    long: "4% off: a £25 card costs £24.",
  });
  expect(rewardInWords(cashback, range, { isMember: true })).toEqual({
    short: "4% back",
    long: "4% back: you pay £25 for a £25 card, and get £1 as cashback.",
  });
  const visitor = rewardInWords(cashback, range, { isMember: false });
  expect(visitor).toEqual({ short: null, long: "A £25 card costs £25." });
});

test("G2 an expiry is said in years where they are whole", () => {
  expect([null, 6, 12, 24, 18].map(expiryInWords)).toEqual([
    "Does not expire",
    "Expires 6 months after you buy it",
    "Expires a year after you buy it",
    "Expires 2 years after you buy it",
    "Expires 18 months after you buy it",
  ]);
});

test("G2 every refusal is a sentence that names the card and says what to do", () => {
  expect(basketProblem("amount-not-offered", range)).toBe("Enter a value from £5 to £200, in steps of £1, like 25.");
  expect(basketProblem("amount-not-offered", fixed)).toBe("Choose £10, £20 or £50.");
  const outcomes = [
    ...(["changed", "empty", "no-email", "key-taken", "issuer-unavailable", "test-mode"] as const),
    ...(["card-too-large", "too-many-lines", "too-much-today", "too-many-today"] as const),
  ].map((outcome) => ({ outcome }));
  const ofCards = (["not-sold", "amount-not-offered", "out-of-stock", "present-too-late"] as const).map((outcome) => ({
    outcome,
    card: 1,
  }));
  for (const answer of ofCards) expect(checkoutProblem(answer, ["Otterby", "Fern"])).toContain("Fern");
  const sentences = [...outcomes, ...ofCards].map((answer) => checkoutProblem(answer, ["Otterby", "Fern"]));
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test("G2 every state of a line has words, and a refund says how much and why", () => {
  const line = (state: LineState, reason: string | null = null) =>
    lineInWords({ state, reason, paidPence: 2400, gift: null }, { isPaid: false });
  for (const state of Object.keys(LINE_TRANSITIONS) as LineState[]) expect(line(state).tag, state).toMatch(/^[A-Z]/);
  expect(line("refunded", "out-of-stock").text).toBe(
    "The card was out of stock. We sent £24 back to the card or account you paid with.",
  );
});

test("G2 an order that is being refunded says so, and still changes by itself", () => {
  for (const cards of [1, 2]) {
    const { title, lead } = orderInWords("refunding", "paid", { isLate: false, cards });
    expect(title).toBe("Your order is being refunded");
    expect(lead).not.toMatch(/getting/);
  }
  expect(isMoving("refunding", "paid")).toBe(true);
});

test("G2 G4 nobody who disputes a payment is told that we send the money, nor that we sent what the bank took", () => {
  for (const state of ["reversing", "refunding"] as const)
    expect(lineInWords({ state, reason: "disputed", paidPence: 2400, gift: null }, { isPaid: true }), state).toEqual({
      tone: "warn",
      tag: "Disputed",
      text: "Your bank disputed the payment. What happens to the money is decided there.",
    });
  expect(lineInWords({ state: "held", reason: "disputed", paidPence: 2400, gift: null }, { isPaid: true })).toEqual({
    ...{ tone: "warn", tag: "Disputed" },
    text: "Your bank disputed the payment. No card is made until that is over.",
  });
  const disputed = orderInWords("held", "paid", { isLate: false, isDisputed: true, cards: 1 });
  expect(`${disputed.title} ${disputed.lead}`).not.toMatch(/hours|checking/);
  const refunding = lineInWords(
    { state: "refunding", reason: "out-of-stock", paidPence: 2400, gift: null },
    { isPaid: true },
  );
  expect(refunding.text).toBe("The card was out of stock. We are sending £24 back.");
  expect(orderInWords("partly-issued", "paid", { isLate: false, cards: 2 }).lead).not.toMatch(/sent/);
});

test("G2 a paid order is never asked to be paid again, and a declined one may be", () => {
  const words = (payment: Parameters<typeof orderInWords>[1], isLate = false) =>
    orderInWords("awaiting-payment", payment, { isLate, cards: 2 }).title;
  expect(words(null)).toBe("Pay for your order");
  expect(words("failed")).toBe("A payment did not go through");
  expect(words("processing")).toMatch(/bank is confirming/);
  expect(words("paid")).toMatch(/^Paid/);
  expect(words("paid", true)).toMatch(/^Paid/);
  expect(words("awaiting_payment", true)).toBe("The time to pay is over");
  expect(isMoving("awaiting-payment", "paid")).toBe(true);
  expect(isMoving("awaiting-payment", "failed")).toBe(false);
  expect(isMoving("issuing", "paid")).toBe(true);
  expect(isMoving("issued", "paid")).toBe(false);
});

test("G2 while a payment may have been made whose notice is late, no page says that nothing was taken", () => {
  for (const payment of ["awaiting_payment", "failed"] as const)
    for (const isLate of [false, true]) {
      const { title, lead } = orderInWords("awaiting-payment", payment, { isLate, cards: 1 });
      expect(`${title}. ${lead}`).not.toMatch(/nothing was taken|^The payment did not/i);
    }
  for (const payment of ["awaiting_payment", "failed"] as const)
    expect(orderInWords("awaiting-payment", payment, { isLate: true, cards: 1 }).lead).toContain("If you have paid");
  expect(orderInWords("awaiting-payment", "failed", { isLate: false, cards: 1 }).lead).toContain("If you have paid");
  expect(orderInWords("awaiting-payment", null, { isLate: true, cards: 1 }).lead).toContain("Nothing was taken");
});

test("G2 an order of one card is told of one card", () => {
  for (const progress of ["issued", "issuing", "held", "refunded"] as const) {
    const { title, lead } = orderInWords(progress, "paid", { isLate: false, cards: 1 });
    expect(`${title}. ${lead}`).not.toMatch(/cards/);
  }
  expect(orderInWords("issued", "paid", { isLate: false, cards: 3 }).title).toBe("Your cards are ready");
});

test("G2 an order's mark differs where its page does", () => {
  const mark = (paymentState: Parameters<typeof isMoving>[1], ...states: string[]) =>
    orderMark({ paymentState, lines: states.map((state) => ({ state })) });
  const marks = [
    mark(null, "awaiting_payment"),
    mark("failed", "awaiting_payment"),
    mark("paid", "awaiting_payment"),
    mark("paid", "issuing"),
    mark("paid", "issued"),
  ];
  expect(new Set(marks).size).toBe(marks.length);
  expect(mark("created", "awaiting_payment")).toBe(mark("awaiting_payment", "awaiting_payment"));
});
