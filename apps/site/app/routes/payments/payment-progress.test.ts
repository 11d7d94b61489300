import { describe, expect, it } from "vitest";
import { MOST_LOOKS, progressOf, readPayment } from "./payment-progress.ts";

const limits = { minPence: 30, maxPence: 1_000_000, maxReferenceLength: 100 };

describe("what is typed", () => {
  it.each([
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

  it.each(["", "abc", "1.234", "-5", "1e3"])("U1 %j is answered with what an amount looks like", (amount) => {
    const read = readPayment({ amount, reference: "x" }, limits);
    expect(read).toMatchObject({
      ok: false,
      problems: { amount: expect.stringContaining("like 12.34"), reference: null },
    });
  });

  it.each(["0.29", "0", "10000.01"])("G3 %j is outside what can be paid", (amount) => {
    const read = readPayment({ amount, reference: "x" }, limits);
    expect(read).toMatchObject({ ok: false, problems: { amount: "Enter an amount from £0.30 to £10,000.00." } });
  });

  it.each([" ", "x".repeat(101), "one\u0007two"])("G3 reference %j is refused", (reference) => {
    const read = readPayment({ amount: "5", reference }, limits);
    expect(read).toMatchObject({ ok: false, problems: { amount: null, reference: expect.stringContaining("Enter") } });
  });
});

describe("what the payer is told", () => {
  it("W G3 only the server's own word that money was taken is a success", () => {
    expect(progressOf("paid", 1)).toBe("paid");
    expect(progressOf("refunded", 1)).toBe("paid");
    for (const state of ["created", "awaiting_payment", "processing"] as const)
      for (const looks of [1, MOST_LOOKS, MOST_LOOKS + 1]) expect(progressOf(state, looks)).not.toBe("paid");
  });

  it("W a payment that stays unconfirmed ends in words, not in a spinner", () => {
    expect(progressOf("processing", MOST_LOOKS - 1)).toBe("waiting");
    expect(progressOf("processing", MOST_LOOKS)).toBe("still-waiting");
  });

  it("G3 a declined try that the server still shows is not taken for the one that has just gone through", () => {
    expect(progressOf("failed", 1)).toBe("waiting");
    expect(progressOf("failed", MOST_LOOKS)).toBe("declined");
    expect(progressOf("cancelled", 1)).toBe("cancelled");
  });
});
