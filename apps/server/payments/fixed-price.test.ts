import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { intentOf, startPayments } from "./payments.testing.ts";

const { db } = await testDatabase();
let stand: Awaited<ReturnType<typeof startPayments>>;
beforeAll(async () => {
  stand = await startPayments(db);
});
afterAll(() => stand.end());

const price = {
  amountPence: 3420,
  reference: "basket-1042",
  description: "Friday hamper",
  email: "robin@customer.example",
};
const order = (more: object = {}) => ({
  amountPence: 3420,
  reference: "basket-1042",
  idempotencyKey: crypto.randomUUID(),
  ...more,
});

describe("W10 a price that the partner's server has fixed", () => {
  test("W10 the card provider gets the price, the description and the receipt's address", async () => {
    const visitor = await stand.visitor({ price });
    const payment = await visitor.start(3420, crypto.randomUUID(), "basket-1042");
    expect(payment.paymentAmount).toBe(34.2);
    const intent = await stand.cards.stripe.paymentIntents.retrieve(intentOf(payment.clientSecret));
    expect(intent).toMatchObject({
      amount: 3420,
      currency: "gbp",
      description: "Test shop: basket-1042, Friday hamper",
      receipt_email: "robin@customer.example",
    });
  });

  test("W10 S1 another amount or reference is refused, and nothing reaches the provider", async () => {
    const visitor = await stand.visitor({ price });
    for (const more of [{ amountPence: 30 }, { amountPence: 3421 }, { reference: "basket-1" }]) {
      const response = await visitor.post(order(more));
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ title: "Another price", errors: [{ field: "amountPence" }] });
    }
    const made = db.selectFrom("payments").select("id").where("session_id", "=", visitor.sessionId);
    expect(await made.execute()).toEqual([]);
  });

  test("W10 S1 the database refuses another amount or mode, whatever code writes it", async () => {
    const { sessionId } = await stand.visitor({ price });
    const row = {
      id: crypto.randomUUID(),
      public_id: "A".repeat(22),
      partner_id: stand.partner.id,
      widget_session_id: sessionId,
      idempotency_key: "long-enough",
      reference: "basket-1042",
      state: "created",
      created_at: new Date(),
      changed_at: new Date(),
    };
    const insert = (more: { amount_pence: number; mode?: string }) =>
      db
        .insertInto("payments")
        .values({ ...row, ...more })
        .execute();
    await expect(insert({ amount_pence: 30 })).rejects.toThrow(/not what its session was opened for/);
    await expect(insert({ amount_pence: 3420, mode: "test" })).rejects.toThrow(/not what its session was opened for/);
  });

  test("W10 W7 a session makes one payment: another key continues it, and after it is paid it is refused", async () => {
    const visitor = await stand.visitor({ price });
    const start = async () => visitor.start(3420, crypto.randomUUID(), "basket-1042");
    const [first, second] = await Promise.all([start(), start()]);
    expect(second.paymentId).toBe(first.paymentId);
    await stand.pay(first);
    await stand.settle();
    const again = await visitor.post(order());
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ title: "Already paid" });
    const [paid] = await stand.news(first.paymentId);
    expect(paid).toMatchObject({
      type: "payment.paid",
      mode: "live",
      data: {
        sessionId: visitor.sessionId,
        sessionReference: "basket-1042",
        reference: "basket-1042",
        amountPence: 3420,
      },
    });
  });

  test("W10 without a price the visitor chooses amount and reference, as before", async () => {
    const visitor = await stand.visitor({ reference: "basket-7" });
    expect((await visitor.start(999)).paymentAmount).toBe(9.99);
  });
});
