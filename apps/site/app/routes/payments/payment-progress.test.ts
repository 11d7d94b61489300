import { describe, expect, test } from "vitest";
import { formStepOf, MAX_POLLS, progressOf, readPayment } from "./payment-progress.ts";

const limits = { minPence: 30, maxPence: 1_000_000, maxReferenceLength: 100 };

describe("what is typed", () => {
  test.each([
    ["12.34", 1234],
    [" £1,000 ", 100_000],
    ["0.3", 30],
    ["10000", 1_000_000],
  ])("C4 %j is %i pence", (amount, amountPence) => {
    expect(readPayment({ amount, reference: " Basket 7 " }, limits)).toEqual({
      ok: true,
      amountPence,
      reference: "Basket 7",
    });
  });

  test.each(["abc", "1.234", "-5", "1e3"])("U1 %j is answered with an example of an amount", (amount) => {
    const read = readPayment({ amount, reference: "x" }, limits);
    expect(read).toMatchObject({
      ok: false,
      problems: { amount: expect.stringContaining("like 12.34"), reference: null },
    });
  });

  test("M3 G3 what is missing is answered with the words of every form", () => {
    const problems = { amount: "** This is a required field", reference: "** This is a required field" };
    expect(readPayment({ amount: " ", reference: " " }, limits)).toEqual({ ok: false, problems });
  });

  test.each(["0.29", "0", "10000.01"])("G3 %j is outside what can be paid", (amount) => {
    const read = readPayment({ amount, reference: "x" }, limits);
    expect(read).toMatchObject({ ok: false, problems: { amount: "Enter an amount from £0.30 to £10,000.00." } });
  });

  test.each(["x".repeat(101), "one\u0007two"])("G3 reference %j is refused", (reference) => {
    const read = readPayment({ amount: "5", reference }, limits);
    expect(read).toMatchObject({ ok: false, problems: { amount: null, reference: expect.stringContaining("Enter") } });
  });
});

describe("what the payer is told", () => {
  test("W G3 only the server's confirmation that money was taken is a success", () => {
    expect(progressOf("paid", 1)).toBe("paid");
    expect(progressOf("refunded", 1)).toBe("paid");
    for (const state of ["created", "awaiting_payment", "processing"] as const)
      for (const polls of [1, MAX_POLLS, MAX_POLLS + 1]) expect(progressOf(state, polls)).not.toBe("paid");
  });

  test("W a payment that stays unconfirmed ends in words, not in a spinner", () => {
    expect(progressOf("processing", MAX_POLLS - 1)).toBe("waiting");
    expect(progressOf("processing", MAX_POLLS)).toBe("still-waiting");
  });

  test("W8 G3 a declined attempt that the server still shows never says that the reported payment took nothing", () => {
    expect(progressOf("failed", 1)).toBe("waiting");
    expect(progressOf("failed", MAX_POLLS - 1)).toBe("waiting");
    for (const polls of [MAX_POLLS, MAX_POLLS * 10])
      for (const reportedForMs of [0, 4 * 60_000])
        expect(progressOf("failed", polls, { reportedForMs })).toBe("still-waiting");
    expect(progressOf("cancelled", 1)).toBe("cancelled");
  });

  test("W8 G3 a payment is declined once the server has looked it up, so that the payer can try another card", () => {
    expect(progressOf("failed", 1, { reportedForMs: 5 * 60_000 })).toBe("declined");
    expect(progressOf("awaiting_payment", MAX_POLLS, { reportedForMs: 60 * 60_000 })).toBe("still-waiting");
  });

  test("W8 G3 a payment that the bank was processing, and then refused, is declined", () => {
    expect(progressOf("failed", 1, { wasProcessing: true })).toBe("declined");
    expect(progressOf("paid", 1, { wasProcessing: true })).toBe("paid");
    expect(progressOf("processing", MAX_POLLS, { wasProcessing: true })).toBe("still-waiting");
  });
});

test.each([
  ["created", null],
  ["awaiting_payment", null],
  ["failed", "attempt-failed"],
  ["processing", "reported"],
  ["paid", "reported"],
  ["cancelled", "reported"],
] as const)("W8 a payment whose card form is open and that is %s: %s", (state, step) => {
  expect(formStepOf(state)).toBe(step);
});
