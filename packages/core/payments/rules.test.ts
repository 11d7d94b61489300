import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FailureCode } from "./failure-codes.ts";
import { refundNews } from "./refund-rules.ts";
import { isAbandoned, nextLookAt, OVERDUE_MS, UNDECIDED_STATES } from "./overdue-rules.ts";
import {
  canGo,
  observedState,
  paymentEvent,
  paymentLegs,
  PAYMENT_TRANSITIONS,
  refundProblem,
  type PaymentState,
} from "./rules.ts";
import { MAX_PAYMENT_PENCE, MIN_PAYMENT_PENCE } from "../partners/amount-schema.ts";
import { startPaymentSchema } from "./schema.ts";

const states = Object.keys(PAYMENT_TRANSITIONS) as PaymentState[];
const at = (state: PaymentState, refundedPence = 0) => ({ state, amountPence: 1000, refundedPence });

describe("W the lifecycle of a payment", () => {
  test("W the database allows the same transitions as the table", () => {
    const file = readFileSync(new URL("../../db/functions/check_payment_change.sql", import.meta.url), "utf8");
    const guard = /create or replace function check_payment_change[^]*?end if;[^]*?end if;/.exec(file)?.[0] ?? "";
    const pairs = [...guard.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
    const table = states.flatMap((from) => PAYMENT_TRANSITIONS[from].map((to) => `${from} -> ${to}`));
    expect(pairs.toSorted()).toEqual(table.toSorted());
  });

  test("W a paid payment never becomes unpaid, and a cancelled one is final", () => {
    for (const from of ["paid", "partly_refunded", "refunded"] as const)
      for (const to of ["created", "awaiting_payment", "processing", "failed", "cancelled"] as const)
        expect(canGo(from, to)).toBe(false);
    expect(states.filter((to) => canGo("cancelled", to))).toEqual([]);
  });

  test("W a declined payment can still be paid", () => {
    expect(canGo("failed", "paid")).toBe(true);
  });

  test("C4 the ledger has what was taken and not refunded, and its legs sum to zero", () => {
    for (const state of states) {
      const legs = paymentLegs(at(state, state === "partly_refunded" ? 300 : state === "refunded" ? 1000 : 0));
      expect(legs.reduce((sum, { amountPence }) => sum + amountPence, 0)).toBe(0);
    }
    expect(paymentLegs(at("failed"))).toEqual([]);
    expect(paymentLegs(at("partly_refunded", 300))).toEqual([
      { account: { kind: "payment_held" }, amountPence: 700 },
      { account: { kind: "card_received" }, amountPence: -700 },
    ]);
  });

  test("G3 the provider's state decides ours", () => {
    const seen = {
      providerPaymentId: "pi",
      paymentId: "p",
      amountPence: 1000,
      refundedPence: 0,
      failureCode: null,
      status: "taken",
    } as const;
    expect(observedState(seen)).toBe("paid");
    expect(observedState({ ...seen, refundedPence: 1 })).toBe("partly_refunded");
    expect(observedState({ ...seen, refundedPence: 1000 })).toBe("refunded");
    expect(observedState({ ...seen, status: "failed" })).toBe("failed");
  });

  test("W10 partners are told of paid and failed payments only", () => {
    expect(paymentEvent(at("awaiting_payment"), at("paid"))).toBe("payment.paid");
    expect(paymentEvent(at("awaiting_payment"), at("failed"))).toBe("payment.failed");
    expect(paymentEvent(at("failed"), at("cancelled"))).toBe("payment.failed");
    expect(paymentEvent(at("paid"), at("partly_refunded", 300))).toBeNull();
    expect(paymentEvent(at("refunded", 1000), at("paid"))).toBeNull();
    expect(paymentEvent(at("created"), at("awaiting_payment"))).toBeNull();
    for (const state of ["failed", "cancelled", "paid", "processing"] as const)
      expect(paymentEvent(at(state), at(state)), `${state} again`).toBeNull();
  });

  test("W10 partners are told of a decline after another if its reason is another one", () => {
    const failed = (failureCode: FailureCode | null) => ({ ...at("failed"), failureCode });
    expect(paymentEvent(failed("expired_card"), failed("insufficient_funds"))).toBe("payment.failed");
    expect(paymentEvent(failed(null), failed("insufficient_funds"))).toBe("payment.failed");
    expect(paymentEvent(failed("expired_card"), failed("expired_card"))).toBeNull();
  });

  test("W10 a payment that is refunded when it is first seen was paid before", () => {
    for (const from of ["awaiting_payment", "processing", "failed"] as const)
      for (const to of [at("partly_refunded", 300), at("refunded", 1000)])
        expect(paymentEvent(at(from), to), from).toBe("payment.paid");
  });

  const a = { refundId: "a", amountPence: 300 };
  const b = { refundId: "b", amountPence: 200 };
  test.each([
    ["one refund", 300, [a], 0, [["a", 300]]],
    [
      "two in one look",
      500,
      [a, b],
      0,
      [
        ["a", 300],
        ["b", 200],
      ],
    ],
    ["one while another came back", -100, [b], 300, [["b", 200]]],
    ["one that came back", -300, [], 300, []],
    ["one that nobody names", 300, [], 0, [[null, 300]]],
    [
      "more than is named",
      500,
      [a],
      0,
      [
        ["a", 300],
        [null, 200],
      ],
    ],
    ["one that the total had before", 0, [a], 0, [["a", 300]]],
    [
      "one that the total had before, and another",
      200,
      [a, b],
      0,
      [
        ["a", 300],
        ["b", 200],
      ],
    ],
    ["nothing", 0, [], 0, []],
  ] as const)("W10 partners are told of each refund with its id and amount: %s", (_, risen, made, returned, told) => {
    const news = refundNews(risen, { unannounced: made, returnedPence: returned });
    expect(news.map(({ refundId, refundPence }) => [refundId, refundPence])).toEqual(told);
  });

  test.each([
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

describe("G3 payments without news", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

  test.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 30],
    [6, 30],
    [500, 30],
  ])("G3 after %i look-ups the next is in %i minutes", (lookups, wait) => {
    expect(nextLookAt(lookups, now)).toEqual(minutes(wait));
    expect(OVERDUE_MS).toBe(120_000);
  });

  test.each(states)(
    "G3 a payment that is %s is given up after exactly a day, unless the bank is processing it",
    (state) => {
      const day = -24 * 60;
      const canBePaid = state === "awaiting_payment" || state === "failed";
      expect(isAbandoned({ state, changedAt: minutes(day) }, now)).toBe(canBePaid);
      expect(isAbandoned({ state, changedAt: new Date(minutes(day).getTime() + 1) }, now)).toBe(false);
      expect(isAbandoned({ state, changedAt: now }, now)).toBe(false);
    },
  );

  test("G3 undecided payments are looked up", () => {
    expect(UNDECIDED_STATES).toEqual(["awaiting_payment", "processing", "failed"]);
  });
});

describe("W requests for payments", () => {
  const order = { amountPence: 1_234, reference: "Order 7", idempotencyKey: "abcdEFGH-_0123456789" };
  /** Returns the message about the first fault, or null. */
  const said = (changes: Record<string, unknown>) =>
    startPaymentSchema.safeParse({ ...order, ...changes }).error?.issues[0]?.message ?? null;
  const amount = "is a whole number of pence from 30 to 1000000";
  const key = "is 8 to 100 letters, digits, - and _, and new for each payment";

  test.each<[Record<string, unknown>, string | null]>([
    [{}, null],
    [{ amountPence: MIN_PAYMENT_PENCE }, null],
    [{ amountPence: MIN_PAYMENT_PENCE - 1 }, amount],
    [{ amountPence: MAX_PAYMENT_PENCE }, null],
    [{ amountPence: MAX_PAYMENT_PENCE + 1 }, amount],
    [{ amountPence: 100.5 }, amount],
    [{ amountPence: "1234" }, amount],
    [{ amountPence: -1_234 }, amount],
    [{ reference: "x" }, null],
    [{ reference: " ".repeat(200) }, "is not empty"],
    [{ reference: "x".repeat(100) }, null],
    [{ reference: ` ${"x".repeat(100)} ` }, null],
    [{ reference: "x".repeat(101) }, "has at most 100 characters"],
    [{ reference: "two\nlines" }, "is one line"],
    [{ reference: "\u0000x" }, "is one line"],
    [{ reference: "x\u007fy" }, "is one line"],
    [{ reference: 7 }, "is a text"],
    [{ idempotencyKey: "a".repeat(8) }, null],
    [{ idempotencyKey: "a".repeat(7) }, key],
    [{ idempotencyKey: "a".repeat(100) }, null],
    [{ idempotencyKey: "a".repeat(101) }, key],
    [{ idempotencyKey: "abcdefg h" }, key],
    [{ idempotencyKey: " abcdefgh" }, key],
    [{ idempotencyKey: "abcdefgh\n" }, key],
    [{ idempotencyKey: "ümlaut-key" }, key],
    [{ idempotencyKey: null }, "is a text"],
    [{ idempotencyKey: "gift-card-0123" }, "does not begin with gift-card-"],
    [{ idempotencyKey: "a-gift-card-0123" }, null],
  ])("W %j: %j", (changes, message) => expect(said(changes)).toBe(message));

  test("W unknown fields are refused, and the reference is trimmed", () => {
    expect(startPaymentSchema.safeParse({ ...order, currency: "EUR" }).success).toBe(false);
    expect(startPaymentSchema.parse({ ...order, reference: " Order 7 " })).toEqual(order);
  });
});
