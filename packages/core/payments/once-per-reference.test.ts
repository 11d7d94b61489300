import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { cancelUnsent } from "./cancel-open.server.ts";
import { expireSession } from "./expire-session.server.ts";
import { findPaymentRow } from "./payment-row.server.ts";
import type { CardProvider } from "./provider.ts";
import { begun, openTill } from "./payments.testing.ts";
import { refundPayment } from "./refund-payment.server.ts";
import { settlePayment } from "./settle-payment.server.ts";
import type { StartedPayment } from "./start-payment.server.ts";

const { db } = await testDatabase();
const till = await openTill(db);

let orders = 0;
const newOrder = (amountPence = 3420) => ({ amountPence, reference: `order-${(orders += 1)}`, isOnce: true });
const statesOf = async (reference: string) =>
  (await db.selectFrom("payments").select("state").where("reference", "=", reference).orderBy("id").execute()).map(
    ({ state }) => state,
  );
/** Replaces one call of the provider until the test puts it back. */
function withCall<Name extends keyof CardProvider>(
  name: Name,
  call: (original: CardProvider[Name]) => CardProvider[Name],
) {
  const original = till.cards.provider[name];
  till.cards.provider[name] = call(original);
  return () => void (till.cards.provider[name] = original);
}
const payerTries = async (started: StartedPayment) => {
  if (started.outcome !== "started") return;
  const { providerPaymentId } = started;
  if (till.cards.payments.get(providerPaymentId)?.status === "awaiting_payment") till.cards.pay(providerPaymentId);
  await settlePayment(db, till.cards.provider, { providerPaymentId, now: till.now() });
};

describe("W10 an order that is paid once", () => {
  test("W10 a paid order is refused in another session, at another price too, and another reference is not", async () => {
    const order = newOrder();
    const [first, second, dearer] = [
      await till.visit(order),
      await till.visit(order),
      await till.visit({ ...order, amountPence: 5000 }),
    ];
    await till.pay(begun(await first.start()));
    expect(await second.start()).toEqual({ outcome: "already-paid" });
    expect(await dearer.start()).toEqual({ outcome: "already-paid" });
    expect(await first.start()).toEqual({ outcome: "already-paid" });
    begun(await (await till.visit(newOrder())).start());
    begun(await (await till.visit({ amountPence: 3420, reference: order.reference })).start()); // as before, without the flag
  });

  test("W10 a later session takes an open payment over: the earlier one is cancelled at the provider first", async () => {
    const order = newOrder();
    const [first, second] = [await till.visit(order), await till.visit(order)];
    const before = begun(await first.start());
    const after = begun(await second.start());
    expect(till.cards.payments.get(before.providerPaymentId)?.status).toBe("cancelled");
    expect(till.cards.payments.get(after.providerPaymentId)?.status).toBe("awaiting_payment");
    expect(await statesOf(order.reference)).toEqual(["cancelled", "awaiting_payment"]);
    const again = begun(await first.start());
    expect(till.cards.payments.get(after.providerPaymentId)?.status).toBe("cancelled");
    await till.pay(again);
    expect(await second.start()).toEqual({ outcome: "already-paid" });
  });

  test("W10 an open payment that was paid without our knowing is found when another session wants to cancel it", async () => {
    const order = newOrder();
    const [first, second] = [await till.visit(order), await till.visit(order)];
    till.cards.pay(begun(await first.start()).providerPaymentId);
    expect(await second.start()).toEqual({ outcome: "already-paid" });
    expect(await statesOf(order.reference)).toEqual(["paid"]);
  });

  test("W10 a payment that the bank is processing is neither cancelled nor joined by a second one", async () => {
    const order = newOrder();
    const [first, second] = [await till.visit(order), await till.visit(order)];
    const { providerPaymentId } = begun(await first.start());
    till.cards.payments.get(providerPaymentId)!.status = "processing";
    const restore = withCall("cancelPayment", () => async () => undefined);
    expect(await second.start()).toEqual({ outcome: "in-progress" });
    expect(await second.start()).toEqual({ outcome: "in-progress" });
    restore();
    expect(begun(await first.start()).providerPaymentId, "its own session goes on with it").toBe(providerPaymentId);
    till.cards.decline(providerPaymentId);
    await settlePayment(db, till.cards.provider, { providerPaymentId, now: till.now() });
    begun(await second.start());
  });

  test("W10 an order whose payment was refunded as a whole can be paid again, and one that was refunded in part can't", async () => {
    const order = newOrder(1000);
    const paid = begun(await (await till.visit(order)).start());
    await till.pay(paid);
    const accounts = { live: till.cards.provider, test: null };
    const refund = (amountPence: number) =>
      refundPayment(db, accounts, { publicId: paid.publicId, amountPence, now: till.now() });
    await refund(400);
    expect(await (await till.visit(order)).start()).toEqual({ outcome: "already-paid" });
    await refund(600);
    begun(await (await till.visit(order)).start());
  });

  test("W10 what a visitor types as a reference says nothing about an order of that name", async () => {
    const order = newOrder();
    const visitor = await till.visit();
    const typed = begun(await visitor.start(100, order.reference));
    await till.pay(typed);
    begun(await (await till.visit(order)).start());
  });

  test("W10 of sessions that start and pay at the same time, at most one is paid, and one can be paid in the end", async () => {
    for (let round = 0; round < 12; round += 1) {
      const order = newOrder();
      const visitors = await Promise.all([1, 2, 3].map(async () => till.visit(order)));
      const tries = [...visitors, ...visitors].map(async ({ start }) => payerTries(await start()));
      await Promise.all(tries);
      expect((await statesOf(order.reference)).filter((state) => state === "paid").length).toBeLessThanOrEqual(1);
      for (const { start } of visitors) await payerTries(await start());
      expect((await statesOf(order.reference)).filter((state) => state === "paid")).toEqual(["paid"]);
      const taken = [...till.cards.payments.values()].filter(({ status }) => status === "taken").length;
      expect(taken).toBe(
        Number(
          (
            await db
              .selectFrom("payments")
              .select((e) => e.fn.countAll().as("n"))
              .where("state", "in", ["paid", "partly_refunded", "refunded"])
              .executeTakeFirstOrThrow()
          ).n,
        ),
      );
    }
  });

  test("W10 a start that is overtaken while the provider makes its payment gives its secret to nobody, and cancels it", async () => {
    const order = newOrder();
    const [slow, fast] = [await till.visit(order), await till.visit(order)];
    let made = "";
    let overtaking: StartedPayment | null = null;
    const restore = withCall("createPayment", (create) => async (request) => {
      restore();
      const answer = await create(request);
      made = answer.providerPaymentId;
      overtaking = await fast.start();
      expect(
        till.cards.payments.get(made)?.status,
        "before the slow one can notice, as an older version does not",
      ).toBe("cancelled");
      return answer;
    });
    expect(await slow.start()).toEqual({ outcome: "cancelled" });
    expect(till.cards.payments.get(made)?.status).toBe("cancelled");
    expect(overtaking).toMatchObject({ outcome: "started" });
    expect(await statesOf(order.reference)).toEqual(["cancelled", "awaiting_payment"]);
    expect(await settlePayment(db, till.cards.provider, { providerPaymentId: made, now: till.now() })).toMatchObject({
      outcome: "settled",
      changed: false,
    });
  });

  test("W10 what our books cancelled before the provider had it is cancelled there too, as soon as it is heard of", async () => {
    const visitor = await till.visit(newOrder());
    let made = "";
    const restore = withCall("createPayment", (create) => async (request) => {
      made = (await create(request)).providerPaymentId;
      throw new Error("The process died.");
    });
    await expect(visitor.start()).rejects.toThrow("died");
    restore();
    const publicId = till.cards.payments.get(made)?.paymentId ?? "";
    const row = await findPaymentRow(db, { publicId });
    if (!row) throw new Error(publicId);
    await db.transaction().execute((trx) => cancelUnsent(trx, row, till.now()));
    const settled = await settlePayment(db, till.cards.provider, { providerPaymentId: made, now: till.now() });
    expect(settled).toMatchObject({ outcome: "settled", changed: false, payment: { state: "cancelled" } });
    expect(till.cards.payments.get(made)?.status).toBe("cancelled");
  });

  test("W10 a session that may begin no more payments cancels none of another session", async () => {
    const order = newOrder();
    const [busy, repeating, other] = [await till.visit(order), await till.visit(order), await till.visit(order)];
    for (let payments = 0; payments < 20; payments += 1) await till.cancel(begun(await busy.start()));
    for (let tries = 0; tries < 60; tries += 1) begun(await repeating.start());
    const { providerPaymentId } = begun(await other.start());
    expect(await busy.start()).toEqual({ outcome: "too-many" });
    expect(await repeating.start()).toMatchObject({ outcome: "slow-down" });
    expect(till.cards.payments.get(providerPaymentId)?.status).toBe("awaiting_payment");
  });

  test("W10 a payment that the provider has otherwise than our books stops a second one, and says which it is", async () => {
    const order = newOrder();
    const [first, second] = [await till.visit(order), await till.visit(order)];
    const { providerPaymentId, publicId } = begun(await first.start());
    till.cards.payments.get(providerPaymentId)!.amountPence += 1;
    let cancels = 0;
    const restore = withCall("cancelPayment", (cancel) => async (request) => {
      cancels += 1;
      await cancel(request);
    });
    await expect(second.start()).rejects.toThrow(`${publicId} of the same order can't be cancelled`);
    restore();
    expect(cancels).toBe(1);
    expect(await statesOf(order.reference)).toEqual(["awaiting_payment"]);
    till.cards.payments.get(providerPaymentId)!.amountPence -= 1;
  });

  test("W10 no payment begins in a session that was ended, whenever its request began", async () => {
    const { start, sessionId, owner } = await till.visit(newOrder());
    till.clock.at += 5000;
    const accounts = { live: till.cards.provider, test: null };
    for (const repeated of [false, true])
      expect(await expireSession(db, accounts, { id: sessionId, owner, now: till.now() }), String(repeated)).toEqual({
        outcome: "expired",
      });
    till.clock.at -= 1000;
    expect(await start()).toEqual({ outcome: "session-ended" });
  });

  test.each(["createCustomer", "createPayment", "createCustomerSession", "cancelPayment", "findPayment"] as const)(
    "W10 a start that dies before or after %s leaves an order that one session can pay, once",
    async (name) => {
      for (const dies of ["before", "after"] as const) {
        const order = newOrder();
        const [first, dying, last] = [await till.visit(order), await till.visit(order), await till.visit(order)];
        const firstPayment = await first.start();
        const restore = withCall(
          name,
          (call) =>
            (async (request: never) => {
              if (dies === "after") await (call as (request: never) => Promise<unknown>)(request);
              throw new Error("The process died.");
            }) as never,
        );
        await expect(dying.start()).rejects.toThrow("died");
        restore();
        const late = await Promise.all([first.start(), dying.start(), last.start()]);
        for (const started of [firstPayment, ...late]) await payerTries(started);
        await payerTries(await last.start());
        expect((await statesOf(order.reference)).filter((state) => state === "paid")).toEqual(["paid"]);
      }
    },
  );
});
