import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { checkDisputes, checkPayments } from "@farthing/core/payments/check.server.ts";
import { eventDataSchemas } from "@farthing/core/payments/partner-event-schema.ts";
import { findPaymentRow } from "@farthing/core/payments/payment-row.server.ts";
import type { CardProvider } from "@farthing/core/payments/provider.ts";
import { refundPayment } from "@farthing/core/payments/refund-payment.server.ts";
import { settleDisputes } from "@farthing/core/payments/settle-disputes.server.ts";
import { settleRefunds } from "@farthing/core/payments/settle-refunds.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { runDisputeAction } from "../commands/dispute-actions.ts";
import { findDisputes, lookAtDisputes } from "./dispute-jobs.ts";
import { intentOf, oneAccount, startPayments } from "./payments.testing.ts";

const { db } = await testDatabase();
let stand: Awaited<ReturnType<typeof startPayments>>;
let visitor: Awaited<ReturnType<typeof stand.visitor>>;
beforeAll(async () => {
  stand = await startPayments(db);
});
beforeEach(async () => {
  visitor = await stand.visitor();
});
afterEach(async () => {
  await stand.switches({ hold: false, sendTwice: false });
  await stand.settle();
  expect([...(await checkLedger(db)).faults, ...(await checkPayments(db)), ...(await checkDisputes(db))]).toEqual([]);
});
afterAll(() => stand.end());

const balances = async () => ({
  received: await findBalance(db, { account: { kind: "card_received" } }),
  held: await findBalance(db, { account: { kind: "payment_held" } }),
  disputed: await findBalance(db, { account: { kind: "payment_disputed" } }),
  fees: await findBalance(db, { account: { kind: "provider_fees" } }),
});
/** Returns what `work` moves. */
async function moved(work: () => Promise<void>) {
  const before = await balances();
  await work();
  const after = await balances();
  return Object.fromEntries(
    Object.entries(after).map(([kind, pence]) => [kind, pence - before[kind as keyof typeof before]]),
  );
}
async function paid(amountPence = 1000, mode: "live" | "test" = "live") {
  if (mode === "test") visitor = await stand.visitor({ mode });
  const payment = await visitor.start(amountPence);
  await stand.pay(payment);
  await stand.settle();
  return { id: payment.paymentId, intent: intentOf(payment.clientSecret) };
}
const dispute = async (intent: string, body: object = {}) => {
  const made = await stand.cards.test.json<{ id: string }>("POST", "/control/cards/disputes", {
    payment_intent: intent,
    ...body,
  });
  await stand.settle();
  return made.id;
};
const step = async (id: string, name: string) => {
  await stand.cards.test.json("POST", `/control/cards/disputes/${id}/${name}`);
  await stand.settle();
};
const elsewhere = async (intent: string, amount: number) => {
  const made = await stand.cards.test.json<{ id: string }>("POST", "/control/cards/refunds", {
    payment_intent: intent,
    amount,
  });
  await stand.settle();
  return made.id;
};
const disputeOf = (publicId: string) =>
  db
    .selectFrom("payment_disputes")
    .innerJoin("payments", "payments.id", "payment_disputes.payment_id")
    .selectAll("payment_disputes")
    .where("payments.public_id", "=", publicId)
    .execute();
const newsOf = async (id: string) =>
  (await stand.news(id))
    .filter(({ type }) => type.includes("dispute"))
    .map(({ type, data }) => [type, data["outcome"]]);
const refund = (publicId: string, amountPence: number | null = null, cards: CardProvider = stand.provider) =>
  refundPayment(db, oneAccount(cards), { publicId, amountPence, now: new Date() });
const logged: { level: string; message: string }[] = [];
const log = (level: string) => (_fields: unknown, message: string) => void logged.push({ level, message });
const parts = (now = new Date()) => ({
  ...{ db, cards: oneAccount(stand.provider), now: () => now },
  logger: { info: log("info"), warn: log("warn"), error: log("error") },
});
const run = (...words: string[]) => runDisputeAction(parts(), words);

describe("G3 disputes", () => {
  test("G3 C4 W10 a dispute withdraws the money and a fee, is announced, and is lost by the partner", async () => {
    const { id, intent } = await paid();
    let providerId = "";
    expect(await moved(async () => void (providerId = await dispute(intent)))).toEqual({
      ...{ received: 3000, held: 0, disputed: -1000, fees: -2000 },
    });
    expect(await disputeOf(id)).toMatchObject([
      { state: "needs_response", amount_pence: 1000, is_for_gift_cards: false },
    ]);
    expect(await moved(() => step(providerId, "respond"))).toEqual({ received: 0, held: 0, disputed: 0, fees: 0 });
    expect(await moved(() => step(providerId, "lose"))).toEqual({ received: 0, held: -1000, disputed: 1000, fees: 0 });
    expect(await disputeOf(id)).toMatchObject([{ state: "lost", next_look_at: null }]);
    const news = (await stand.news(id)).filter(({ type }) => type.includes("dispute"));
    const common = {
      ...{
        paymentId: id,
        reference: "Basket 7",
        amountPence: 1000,
        sessionId: visitor.sessionId,
        sessionReference: null,
      },
      ...{ disputedPence: 1000, disputeReason: "fraudulent", disputeId: (await disputeOf(id))[0]?.public_id },
    };
    expect(news.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: "payment.disputed", data: { ...common, evidenceDueAt: expect.stringMatching(/Z$/) } },
      { type: "payment.dispute_closed", data: { ...common, outcome: "lost" } },
    ]);
  });

  test("G3 C4 a won dispute brings the money back, without the fee, and the payment can be refunded again", async () => {
    const { id, intent } = await paid();
    const moves = await moved(async () => {
      const providerId = await dispute(intent, { amount: 1000 });
      expect(await refund(id)).toMatchObject({ outcome: "disputed" });
      await step(providerId, "win");
    });
    expect(moves).toEqual({ received: 2000, held: 0, disputed: 0, fees: -2000 });
    expect(await newsOf(id)).toEqual([
      ["payment.disputed", undefined],
      ["payment.dispute_closed", "won"],
    ]);
    expect(await refund(id)).toMatchObject({ outcome: "refunded", payment: { state: "refunded" } });
  });

  test("G3 webhooks that come twice, late and in reverse order make one dispute and one of each event", async () => {
    const { id, intent } = await paid();
    await stand.switches({ hold: true, sendTwice: true });
    const moves = await moved(async () => {
      const providerId = await dispute(intent);
      for (const name of ["respond", "lose", "win"]) await step(providerId, name);
      await stand.switches({ hold: false });
      await stand.release("newest first");
      await stand.settle();
    });
    expect(moves).toEqual({ received: 2000, held: 0, disputed: 0, fees: -2000 });
    expect(await disputeOf(id)).toMatchObject([{ state: "won", withdrawn_pence: 0, version: 1 }]);
    expect(await newsOf(id)).toEqual([
      ["payment.disputed", undefined],
      ["payment.dispute_closed", "won"],
    ]);
  });

  test("G3 an inquiry moves no money, and the payment can be refunded to end it", async () => {
    const { id, intent } = await paid();
    const none = { received: 0, held: 0, disputed: 0, fees: 0 };
    let providerId = "";
    expect(await moved(async () => void (providerId = await dispute(intent, { inquiry: true })))).toEqual(none);
    expect(await disputeOf(id)).toMatchObject([{ state: "inquiry" }]);
    expect(await refund(id, 400)).toMatchObject({ outcome: "refunded" });
    expect(await moved(() => step(providerId, "close"))).toEqual(none);
    expect(await newsOf(id)).toEqual([
      ["payment.disputed", undefined],
      ["payment.dispute_closed", "closed"],
    ]);
  });

  test("G3 what a lost dispute has left of a payment can be refunded, and not a penny more", async () => {
    const { id, intent } = await paid();
    await step(await dispute(intent, { amount: 600 }), "lose");
    expect(await refund(id, 401)).toMatchObject({ outcome: "disputed" });
    expect(await refund(id)).toMatchObject({ outcome: "refunded", refund: { amountPence: 400 } });
    expect(await refund(id, 1)).toMatchObject({ outcome: "disputed" });
  });

  test("G3 an old answer of the provider never overwrites a newer one", async () => {
    const { id, intent } = await paid();
    const providerId = await dispute(intent);
    const payment = await findPaymentRow(db, { publicId: id });
    let asked = 0;
    const slow = {
      async findDisputes(paymentId: string) {
        const old = await stand.provider.findDisputes(paymentId);
        asked += 1;
        if (asked === 1) await step(providerId, "lose");
        return old;
      },
    };
    if (!payment) throw new Error("no payment");
    expect(await settleDisputes(db, slow, { payment, now: new Date() })).toEqual({ outcome: "settled", changed: 0 });
    expect(asked).toBe(2);
    expect(await disputeOf(id)).toMatchObject([{ state: "lost" }]);
  });

  test("G3 concurrent copies of an event count once", async () => {
    const { id, intent } = await paid();
    await stand.switches({ hold: true });
    await stand.cards.test.json("POST", "/control/cards/disputes", { payment_intent: intent });
    const payment = await findPaymentRow(db, { publicId: id });
    if (!payment) throw new Error("no payment");
    const moves = await moved(async () => {
      await Promise.all(
        Array.from({ length: 8 }, () => settleDisputes(db, stand.provider, { payment, now: new Date() })),
      );
    });
    expect(moves).toMatchObject({ disputed: -1000, fees: -2000 });
    expect(await disputeOf(id)).toHaveLength(1);
    expect(await newsOf(id)).toEqual([["payment.disputed", undefined]]);
    await stand.release("oldest first");
  });

  test("G3 an impossible answer changes nothing, and is for a person", async () => {
    const { id, intent } = await paid();
    await step(await dispute(intent), "lose");
    const payment = await findPaymentRow(db, { publicId: id });
    if (!payment) throw new Error("no payment");
    const odd = {
      findDisputes: async (paymentId: string) =>
        (await stand.provider.findDisputes(paymentId)).map((one) => ({ ...one, state: "inquiry" as const })),
    };
    expect(await settleDisputes(db, odd, { payment, now: new Date() })).toMatchObject({ outcome: "contradiction" });
    expect(await disputeOf(id)).toMatchObject([{ state: "lost" }]);
  });

  test("P6 a dispute whose webhooks never came is found, and then read each day until it is over", async () => {
    const { id, intent } = await paid();
    await stand.switches({ hold: true });
    const made = await stand.cards.test.json<{ id: string }>("POST", "/control/cards/disputes", {
      payment_intent: intent,
    });
    expect(await findDisputes(parts())).toBe(1);
    expect(await disputeOf(id)).toMatchObject([{ state: "needs_response" }]);
    expect(await findDisputes(parts())).toBe(0);
    await stand.cards.test.json("POST", `/control/cards/disputes/${made.id}/lose`);
    expect(await lookAtDisputes(parts())).toBe(0);
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    expect(await lookAtDisputes(parts(tomorrow))).toBeGreaterThan(0);
    expect(await disputeOf(id)).toMatchObject([{ state: "lost", next_look_at: null }]);
    await stand.release("oldest first");
    await stand.settle();
    expect(await newsOf(id)).toHaveLength(2);
  });

  test("P6 while the provider is away the search is tried again later, and a look the next day", async () => {
    const { intent } = await paid();
    await dispute(intent);
    const away = createStripeProvider({
      secretKey: "sk_test_x",
      webhookSecret: "whsec_x",
      apiUrl: "http://127.0.0.1:1",
    });
    logged.length = 0;
    const later = { ...parts(new Date(Date.now() + 50 * 3_600_000)), cards: oneAccount(away) };
    expect(await findDisputes(later)).toBe(0);
    expect(await lookAtDisputes(later)).toBeGreaterThan(0);
    expect(new Set(logged.map(({ level }) => level))).toEqual(new Set(["warn"]));
  });

  test("W10 C4 a dispute of a test payment is in no book", async () => {
    const { id, intent } = await paid(700, "test");
    expect(await moved(async () => step(await dispute(intent), "lose"))).toEqual({
      ...{ received: 0, held: 0, disputed: 0, fees: 0 },
    });
    expect(await disputeOf(id)).toMatchObject([{ state: "lost" }]);
  });

  test("C4 the check finds a dispute whose posting is missing", async () => {
    const { id, intent } = await paid();
    await dispute(intent);
    const trial = db.transaction().execute(async (trx) => {
      await trx
        .updateTable("payment_disputes")
        .set((row) => ({ withdrawn_pence: 900, version: row("version", "+", 1) }))
        .where("id", "=", (await disputeOf(id))[0]?.id ?? "")
        .execute();
      const faults = await checkDisputes(trx);
      expect(faults).toEqual([
        expect.stringContaining("should have 2900 pence in card_received, and has 3000"),
        expect.stringContaining("should have -900 pence in payment_disputed, and has -1000"),
      ]);
      throw new Error("undone");
    });
    await expect(trial).rejects.toThrow("undone");
  });
});

describe("G4 refunds that we did not make", () => {
  const refundsOf = (publicId: string) =>
    db
      .selectFrom("payment_refunds")
      .innerJoin("payments", "payments.id", "payment_refunds.payment_id")
      .select(["payment_refunds.amount_pence", "payment_refunds.state", "made_by", "provider_refund_id"])
      .where("payments.public_id", "=", publicId)
      .orderBy("asked_at")
      .execute();

  test("G4 C4 one in the dashboard is booked, named and logged once; ours gets the provider's name", async () => {
    const { id, intent } = await paid();
    expect(await refund(id, 300)).toMatchObject({ outcome: "refunded" });
    stand.lines.length = 0;
    await stand.switches({ sendTwice: true });
    let made = "";
    const moves = await moved(async () => void (made = await elsewhere(intent, 200)));
    expect(moves).toMatchObject({ received: 200, held: -200 });
    const refunds = await refundsOf(id);
    expect(refunds).toContainEqual({ amount_pence: 200, state: "done", made_by: "provider", provider_refund_id: made });
    expect(refunds).toContainEqual({
      ...{ amount_pence: 300, state: "done", made_by: "us", provider_refund_id: expect.stringMatching(/^re_/) },
    });
    expect(refunds).toHaveLength(2);
    expect(stand.lines.filter((line) => JSON.stringify(line).includes("card provider's dashboard"))).toHaveLength(1);
  });

  test("G4 C4 a refund that the payer's bank sends back is noted, and its money is held again", async () => {
    const { id, intent } = await paid();
    const made = await elsewhere(intent, 250);
    const moves = await moved(async () => {
      await stand.cards.test.json("POST", `/control/cards/refunds/${made}/fail`);
      await stand.settle();
    });
    expect(moves).toMatchObject({ received: -250, held: 250 });
    expect(await refundsOf(id)).toMatchObject([{ state: "returned", made_by: "provider" }]);
    expect(await visitor.stateOf(id)).toBe("paid");
  });

  test("W10 G4 a refund that the payer's bank sends back is announced once, with its id and the total after it", async () => {
    const { id } = await paid();
    const [sentBack, kept] = [await refund(id, 300), await refund(id, 200)];
    if (sentBack.outcome !== "refunded" || kept.outcome !== "refunded") throw new Error("not refunded");
    await stand.settle();
    const { providerRefundId } = await db
      .selectFrom("payment_refunds")
      .select("provider_refund_id as providerRefundId")
      .where("id", "=", sentBack.refund.id)
      .executeTakeFirstOrThrow();
    await stand.switches({ sendTwice: true });
    await stand.cards.test.json("POST", `/control/cards/refunds/${providerRefundId}/fail`);
    await stand.settle();
    expect(await run("read", id)).toEqual([expect.stringContaining("£2.00 of £10.00 has gone back")]);
    const failed = (await stand.news(id)).filter(({ type }) => type === "payment.refund_failed");
    expect(
      failed.map(({ data }) => z.strictObject(eventDataSchemas["payment.refund_failed"].shape).parse(data)),
    ).toEqual([
      {
        ...{ paymentId: id, reference: "Basket 7", amountPence: 1000, sessionId: visitor.sessionId },
        ...{ sessionReference: null, refundId: sentBack.refund.id, refundPence: 300, refundedPence: 200 },
      },
    ]);
  });

  /** Returns the id and pence of each refund that the partner was told of, and the total after it. */
  const toldOf = async (id: string) =>
    (await stand.news(id))
      .filter(({ type }) => type === "payment.refunded")
      .map(({ data }) => [data["refundId"], data["refundPence"], data["refundedPence"]]);
  const idOfRefund = async (providerRefundId: string) =>
    (
      await db
        .selectFrom("payment_refunds")
        .select("id")
        .where("provider_refund_id", "=", providerRefundId)
        .executeTakeFirstOrThrow()
    ).id;
  /** Refunds in the provider's dashboard, with the webhooks held back. */
  const refundUnseen = async (intent: string, amount: number) => {
    await stand.switches({ hold: true });
    const asked = { payment_intent: intent, amount };
    return (await stand.cards.test.json<{ id: string }>("POST", "/control/cards/refunds", asked)).id;
  };
  const letThrough = async () => {
    await stand.switches({ hold: false });
    await stand.release("oldest first");
    await stand.settle();
  };

  test("W10 G3 a refund that the provider lists before the payment's total has it is announced once, with its id", async () => {
    const { id, intent } = await paid();
    const early = await refundUnseen(intent, 300);
    const payment = (await findPaymentRow(db, { publicId: id }))!;
    await settleRefunds(db, stand.provider, { payment, now: new Date() });
    expect(await toldOf(id), "the books do not have it yet").toEqual([]);
    await letThrough();
    expect(await toldOf(id)).toEqual([[await idOfRefund(early), 300, 300]]);
  });

  test("W10 G3 a refund that leaves the total as it was, because another came back meanwhile, is announced", async () => {
    const { id, intent } = await paid();
    const first = await elsewhere(intent, 300);
    await stand.switches({ hold: true });
    await stand.cards.test.json("POST", `/control/cards/refunds/${first}/fail`);
    const second = await refundUnseen(intent, 300);
    await letThrough();
    expect(await toldOf(id)).toEqual([
      [await idOfRefund(first), 300, 300],
      [await idOfRefund(second), 300, 300],
    ]);
    expect((await stand.news(id)).filter(({ type }) => type === "payment.refund_failed")).toHaveLength(1);
  });
});

describe("npm run payments:disputes", () => {
  test("G3 it lists what is due by when, most urgent first, and says where evidence goes", async () => {
    await db.deleteFrom("partner_webhook_deliveries").execute();
    const { id, intent } = await paid(1234);
    const providerId = await dispute(intent);
    const [publicId = ""] = (await disputeOf(id)).map(({ public_id }) => public_id);
    const line = (await run("list")).find((text) => text.startsWith(publicId)) ?? "";
    expect(line).toContain(`${providerId}  needs_response  fraudulent  £12.34 and £20.00 fee`);
    expect(line).toMatch(/evidence due \d{4}-\d\d-\d\d \d\d:\d\d UTC, in 8 days$/);
    expect((await run("list")).at(-1)).toContain("in the card provider's dashboard");
    await step(providerId, "respond");
    expect((await run("list")).find((text) => text.startsWith(publicId))).toContain("evidence sent");
    await step(providerId, "lose");
    expect((await run("list")).find((text) => text.startsWith(publicId))).toBeUndefined();
    expect((await run("all")).find((text) => text.startsWith(publicId))).toContain("lost");
    const shown = (await run("show", id)).join("\n");
    expect(shown).toContain("needs_response, £12.34 withdrawn, £20.00 fee");
    expect(shown).toContain("lost, £12.34 withdrawn, £20.00 fee");
    expect((await run("show", providerId)).join("\n")).toBe(shown);
  });

  test("G3 it reads a payment again whose webhooks are lost, and lists refunds that were made elsewhere", async () => {
    const { id, intent } = await paid();
    await stand.switches({ hold: true });
    const made = await elsewhere(intent, 100);
    expect(await run("read", id)).toEqual([expect.stringContaining("£1.00 of £10.00 has gone back")]);
    expect((await run("refunds")).join("\n")).toContain(`${made}  payment ${id}`);
    await stand.release("oldest first");
  });

  test.each([[], ["show"], ["list", "more"], ["toString"], ["refund"]])("Z5 %j gets the usage", async (...words) => {
    await expect(run(...words)).rejects.toThrow("npm run payments:disputes -- <action>");
  });

  test("Z5 an unknown dispute or payment says what to do", async () => {
    await expect(run("show", "du_none")).rejects.toThrow('There is no dispute du_none. "all" lists every one.');
    await expect(run("read", "AbCdEfGhIjKlMnOpQrStUv")).rejects.toThrow("There is no payment");
  });
});
