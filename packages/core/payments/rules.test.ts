import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  canGo,
  eventOf,
  observedState,
  paymentLegs,
  PAYMENT_TRANSITIONS,
  refundProblem,
  type PaymentState,
} from "./rules.ts";

const states = Object.keys(PAYMENT_TRANSITIONS) as PaymentState[];
const at = (state: PaymentState, refundedPence = 0) => ({ state, amountPence: 1000, refundedPence });

describe("W a payment's life", () => {
  it("W the database allows the same steps as the table", () => {
    const migration = readFileSync(new URL("../../db/migrations/0023_payments.sql", import.meta.url), "utf8");
    const guard = /create function check_payment_change[^]*?end if;[^]*?end if;/.exec(migration)?.[0] ?? "";
    const pairs = [...guard.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
    const table = states.flatMap((from) => PAYMENT_TRANSITIONS[from].map((to) => `${from} -> ${to}`));
    expect(pairs.toSorted()).toEqual(table.toSorted());
  });

  it("W what was paid never becomes unpaid, and a cancelled payment is over", () => {
    for (const from of ["paid", "partly_refunded", "refunded"] as const)
      for (const to of ["created", "awaiting_payment", "processing", "failed", "cancelled"] as const)
        expect(canGo(from, to)).toBe(false);
    expect(states.filter((to) => canGo("cancelled", to))).toEqual([]);
  });

  it("W a declined try can still be paid", () => {
    expect(canGo("failed", "paid")).toBe(true);
  });

  it("C4 only what was taken and not given back stands in the ledger, and it sums to nought", () => {
    for (const state of states) {
      const legs = paymentLegs(at(state, state === "partly_refunded" ? 300 : state === "refunded" ? 1000 : 0));
      expect(legs.reduce((sum, { amountPence }) => sum + amountPence, 0)).toBe(0);
    }
    expect(paymentLegs(at("failed"))).toEqual([]);
    expect(paymentLegs(at("partly_refunded", 300))[0]).toEqual({ account: { kind: "payment_held" }, amountPence: 700 });
  });

  it("G3 the provider's word decides the state", () => {
    const seen = {
      providerPaymentId: "pi",
      paymentId: "p",
      amountPence: 1000,
      refundedPence: 0,
      status: "taken",
    } as const;
    expect(observedState(seen)).toBe("paid");
    expect(observedState({ ...seen, refundedPence: 1 })).toBe("partly_refunded");
    expect(observedState({ ...seen, refundedPence: 1000 })).toBe("refunded");
    expect(observedState({ ...seen, status: "failed" })).toBe("failed");
  });

  it("W10 partners hear of payments paid, failed and refunded, and of nothing else", () => {
    expect(eventOf(at("awaiting_payment"), at("paid"))).toBe("payment.paid");
    expect(eventOf(at("awaiting_payment"), at("failed"))).toBe("payment.failed");
    expect(eventOf(at("failed"), at("cancelled"))).toBe("payment.failed");
    expect(eventOf(at("paid"), at("partly_refunded", 300))).toBe("payment.refunded");
    expect(eventOf(at("partly_refunded", 300), at("refunded", 1000))).toBe("payment.refunded");
    expect(eventOf(at("refunded", 1000), at("paid"))).toBeNull();
    expect(eventOf(at("created"), at("awaiting_payment"))).toBeNull();
  });

  it.each([
    [at("awaiting_payment"), 100, "not-paid"],
    [at("paid"), 1001, "more-than-left"],
    [at("partly_refunded", 300), 701, "more-than-left"],
    [at("paid"), 0, "not-an-amount"],
    [at("paid"), 0.5, "not-an-amount"],
    [at("partly_refunded", 300), 700, null],
  ] as const)("G3 a refund of %j by %d pence: %s", (payment, amount, problem) => {
    expect(refundProblem(payment, amount)).toBe(problem);
  });
});
