import { noCardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { checkPayments } from "@farthing/core/payments/check.server.ts";
import { changePartner } from "@farthing/core/partners/operations.server.ts";
import { forgetOldWidgetSessions } from "@farthing/core/partners/widget-session.server.ts";
import { eventDataSchemas } from "@farthing/core/payments/partner-event-schema.ts";
import { CardProviderRefusalError, type CardProvider } from "@farthing/core/payments/provider.ts";
import { forgetOldCardEvents } from "@farthing/core/payments/receive-card-event.server.ts";
import { refundPayment } from "@farthing/core/payments/refund-payment.server.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { cardKeys } from "../../../sandbox/testing/start-test-cards.ts";
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
  // Whatever happened: the books are right.
  expect((await checkLedger(db)).faults).toEqual([]);
  expect(await checkPayments(db)).toEqual([]);
});
afterAll(() => stand.end());

const held = () => findBalance(db, { account: { kind: "payment_held" } });
const eventAbout = (intent: string, id = `evt_${crypto.randomUUID()}`) => ({
  id,
  object: "event",
  type: "payment_intent.succeeded",
  data: { object: { id: intent, object: "payment_intent", status: "succeeded" } },
});
const typesOf = async (paymentId: string) => (await stand.news(paymentId)).map(({ type }) => type);

describe("W a payment in a partner's frame", () => {
  test("W the answer has what the widget's message needs, and the payment awaits payment", async () => {
    const response = await visitor.post({ amountPence: 1999, reference: "Basket 7", idempotencyKey: "first-payment" });
    expect(response.status).toBe(201);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const answer = (await response.json()) as Record<string, unknown>;
    expect(answer).toEqual({
      paymentId: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      ephemeralKey: expect.stringMatching(/^cuss_/),
      customerId: expect.stringMatching(/^cus_/),
      paymentAmount: 19.99,
      contextToken: answer["paymentId"],
    });
    const shown = await visitor.get(String(answer["paymentId"]));
    expect(await shown.json()).toEqual({ state: "awaiting_payment", amountPence: 1999, reference: "Basket 7" });
  });

  test("W a payment is paid once the signed webhook says so, posted to the ledger and announced to the partner", async () => {
    const before = await held();
    await stand.switches({ hold: true });
    const payment = await visitor.start(1234);
    await stand.pay(payment);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment"); // the browser's word is not enough
    await stand.switches({ hold: false });
    await stand.release("oldest first");
    await stand.settle();
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
    expect(await held()).toBe(before + 1234);
    expect(await stand.news(payment.paymentId)).toMatchObject([
      { type: "payment.paid", data: { paymentId: payment.paymentId, reference: "Basket 7", amountPence: 1234 } },
    ]);
    const [news] = await stand.news(payment.paymentId);
    z.strictObject(eventDataSchemas["payment.paid"].shape).parse(news?.data);
  });

  test("W a declined card fails the payment and moves no money; another card pays it", async () => {
    const before = await held();
    const payment = await visitor.start();
    expect((await stand.pay(payment, "4000000000000002")).body.error?.code).toBe("card_declined");
    await stand.settle();
    expect(await visitor.stateOf(payment.paymentId)).toBe("failed");
    expect(await held()).toBe(before);
    await stand.pay(payment);
    await stand.settle();
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
    expect(await typesOf(payment.paymentId)).toEqual(["payment.failed", "payment.paid"]);
  });

  test.each([
    ["4000000000009995", "insufficient_funds"],
    ["4000000000000069", "expired_card"],
    ["4000000000009979", "generic_decline"], // a stolen card
  ])(
    "W10 payment.failed says why the attempt with %s failed: %s, and nothing of the card",
    async (number, failureCode) => {
      const payment = await visitor.start();
      await stand.pay(payment, number);
      await stand.settle();
      const [event] = await stand.news(payment.paymentId);
      expect(event).toMatchObject({ type: "payment.failed", data: { paymentId: payment.paymentId, failureCode } });
      z.strictObject(eventDataSchemas["payment.failed"].shape).parse(event?.data);
      await stand.pay(payment);
      await stand.settle();
      const [, paid] = await stand.news(payment.paymentId);
      expect(paid).toMatchObject({ type: "payment.paid" });
      expect(paid?.data).not.toHaveProperty("failureCode");
    },
  );

  test("W two concurrent requests with one key make one payment, paid once", async () => {
    const before = await held();
    const [first, second] = await Promise.all([visitor.start(500, "same-key"), visitor.start(500, "same-key")]);
    expect(second).toMatchObject({ paymentId: first.paymentId, clientSecret: first.clientSecret });
    await Promise.all([stand.pay(first), stand.pay(second)]);
    await stand.settle();
    expect(await held()).toBe(before + 500);
    expect(await visitor.start(500, "same-key")).toMatchObject({ clientSecret: first.clientSecret });
  });

  test("W a key that was used for another amount is refused", async () => {
    await visitor.start(500, "used-before");
    const again = await visitor.post({ amountPence: 501, reference: "Basket 7", idempotencyKey: "used-before" });
    expect(again.status).toBe(409);
    const others = await stand.visitor();
    expect((await others.start(501, "used-before")).paymentAmount).toBe(5.01);
  });

  test("S1 a payment of another session is 404, and 401 without a session", async () => {
    const { paymentId } = await visitor.start();
    expect((await (await stand.visitor()).get(paymentId)).status).toBe(404);
    expect((await visitor.get("AbCdEfGhIjKlMnOpQrStUv")).status).toBe(404);
    const stranger = await stand.app.request(`http://one.test/api/payments/${paymentId}`, {
      headers: { host: "one.test" },
    });
    expect(stranger.status).toBe(401);
  });

  test.each([
    [{ amountPence: 29 }, "amountPence"],
    [{ amountPence: 1_000_001 }, "amountPence"],
    [{ amountPence: 100.5 }, "amountPence"],
    [{ amountPence: "100" }, "amountPence"],
    [{ reference: "" }, "reference"],
    [{ reference: "x".repeat(101) }, "reference"],
    [{ idempotencyKey: "short" }, "idempotencyKey"],
  ])("S2 %j is refused with 422, and says which field is wrong", async (wrong, field) => {
    const body = { amountPence: 100, reference: "Basket 7", idempotencyKey: "good-enough", ...wrong };
    const response = await visitor.post(body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ field }] });
  });

  test("S1 the payments of one session are limited", async () => {
    for (let made = 0; made < 20; made += 1) await visitor.start();
    const response = await visitor.post({ amountPence: 100, reference: "One more", idempotencyKey: "one-too-many" });
    expect(response.status).toBe(429);
  });

  test("S1 the repetitions of a session's payments are limited: the answer says how long to wait, and the provider is not asked", async () => {
    const body = { amountPence: 700, reference: "Basket 7", idempotencyKey: "again-and-again" };
    let asked = 0;
    const counted: CardProvider = {
      ...stand.provider,
      createPayment(payment) {
        asked += 1;
        return stand.provider.createPayment(payment);
      },
      findClientSecret(id) {
        asked += 1;
        return stand.provider.findClientSecret(id);
      },
    };
    const { app } = stand.appWith(oneAccount(counted));
    const post = async () => (await visitor.post(body, app)).status;
    for (let repeated = 0; repeated < 60; repeated += 1) expect(await post()).toBe(201);
    const refused = await visitor.post(body, app);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(asked).toBe(60);
    expect((await (await stand.visitor()).post(body, app)).status).toBe(201);
  });

  test("W G3 a payment that was begun goes on after its partner was renamed", async () => {
    const start = () => visitor.start(700, "begun-before");
    const first = await start();
    await changePartner(db, { partnerId: stand.partner.id, name: "Shop and Sons", mintsPerMinute: 1_000_000 });
    const { paymentId, clientSecret, customerId } = first;
    expect(await start()).toMatchObject({ paymentId, clientSecret, customerId });
  });

  test("W G3 a payment that the provider refuses to begin is answered with what to do, not with the provider's words", async () => {
    const refusing: CardProvider = {
      ...stand.provider,
      createPayment: () => Promise.reject(new CardProviderRefusalError("refused with sk_live_x", null)),
    };
    const { app, lines } = stand.appWith(oneAccount(refusing));
    const body = { amountPence: 700, reference: "Basket 7", idempotencyKey: "refused-at-first" };
    const response = await visitor.post(body, app);
    expect(response.status).toBe(503);
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toMatch(/Reload the page/);
    expect(detail).not.toContain("sk_live");
    expect(lines.map(({ msg }) => msg)).toContain("the card provider refused a payment");
    expect((await visitor.post(body)).status, "once it is mended").toBe(201);
  });

  test("P6 while the provider does not answer, the API answers 503, and the same request later continues", async () => {
    const down = createStripeProvider({
      secretKey: "sk_test_x",
      webhookSecret: "whsec_x",
      apiUrl: "http://127.0.0.1:1",
    });
    const body = { amountPence: 700, reference: "Basket 7", idempotencyKey: "when-it-is-up" };
    const refused = await visitor.post(body, stand.appWith(oneAccount(down)).app);
    expect(refused.status).toBe(503);
    expect((await visitor.post(body)).status).toBe(201);
    const { rows } = await sql`select from payments where idempotency_key = 'when-it-is-up'`.execute(db);
    expect(rows).toHaveLength(1);
  });

  test("P3 without a card provider the API says so, and the webhook is 404", async () => {
    const { app } = stand.appWith(noCardAccounts);
    const body = { amountPence: 700, reference: "Basket 7", idempotencyKey: "not-set-up" };
    expect((await visitor.post(body, app)).status).toBe(503);
    expect((await app.request("http://one.test/webhooks/stripe", { method: "POST", body: "{}" })).status).toBe(404);
  });
});

describe("G3 the card provider's webhooks", () => {
  test("G3 webhooks sent twice and in the wrong order pay the payment once", async () => {
    const before = await held();
    await stand.switches({ hold: true, sendTwice: true });
    const payment = await visitor.start(800);
    await stand.pay(payment, "4000000000000002");
    await stand.pay(payment);
    await stand.switches({ hold: false, sendTwice: true });
    await stand.release("newest first");
    await stand.settle();
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
    expect(await held()).toBe(before + 800);
    expect(await typesOf(payment.paymentId)).toEqual(["payment.paid"]);
  });

  test("G3 concurrent copies of an event count once", async () => {
    const before = await held();
    await stand.switches({ hold: true });
    const payment = await visitor.start(900);
    await stand.pay(payment);
    const event = eventAbout(intentOf(payment.clientSecret));
    const answers = await Promise.all(Array.from({ length: 8 }, () => stand.deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await held()).toBe(before + 900);
    expect(await typesOf(payment.paymentId)).toEqual(["payment.paid"]);
  });

  test("G3 an event that contradicts the provider's own answer changes nothing", async () => {
    const payment = await visitor.start();
    expect((await stand.deliver(eventAbout(intentOf(payment.clientSecret)))).status).toBe(200);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
  });

  test.each([
    ["signed with another secret", { secret: "whsec_forged" }],
    ["of 301 seconds ago", { age: 301 }],
    ["whose body was changed", { body: "{}" }],
  ])("S1 a webhook %s is refused and changes nothing", async (_, how) => {
    await stand.switches({ hold: true });
    const payment = await visitor.start();
    await stand.pay(payment);
    const event = eventAbout(intentOf(payment.clientSecret));
    expect((await stand.deliver(event, how)).status).toBe(400);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
    // The very same is taken when it is right, so it was the signature that kept it out.
    expect((await stand.deliver(event, { age: 290 })).status).toBe(200);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("S1 a webhook without a signature is refused", async () => {
    const response = await stand.app.request("http://one.test/webhooks/stripe", { method: "POST", body: "{}" });
    expect(response.status).toBe(400);
  });

  test("G3 an event about an unknown payment, or about none, is accepted and changes nothing", async () => {
    const other = await stand.cards.stripe.paymentIntents.create({ amount: 500, currency: "gbp" });
    expect((await stand.deliver(eventAbout(other.id))).status).toBe(200);
    const aboutNone = {
      id: "evt_none",
      object: "event",
      type: "customer.created",
      data: { object: { object: "customer" } },
    };
    expect((await stand.deliver(aboutNone)).status).toBe(200);
  });

  test("G3 while the provider is unavailable an event is answered 503, and settled when it is sent again", async () => {
    await stand.switches({ hold: true });
    const payment = await visitor.start();
    await stand.pay(payment);
    const event = eventAbout(intentOf(payment.clientSecret));
    const body = JSON.stringify(event);
    const down = createStripeProvider({ ...cardKeys, secretKey: cardKeys.secret, apiUrl: "http://127.0.0.1:1" });
    const signature = stand.cards.stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: cardKeys.webhookSecret,
    });
    const headers = { "stripe-signature": signature };
    const { app } = stand.appWith(oneAccount(down));
    const first = await app.request("http://one.test/webhooks/stripe", { method: "POST", body, headers });
    expect(first.status).toBe(503);
    expect((await stand.deliver(event)).status).toBe(200);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("S1 a payment of another amount is never marked as paid", async () => {
    await stand.switches({ hold: true });
    const payment = await visitor.start(1000);
    const intent = intentOf(payment.clientSecret);
    await stand.cards.stripe.paymentIntents.update(intent, { amount: 100 });
    await stand.pay(payment);
    expect((await stand.deliver(eventAbout(intent))).status).toBe(200);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
    expect(stand.lines.map(({ msg }) => msg)).toContainEqual(expect.stringContaining("the provider has 100"));
  });

  test("G3 an old answer of the provider never overwrites a newer one", async () => {
    const payment = await visitor.start(1000);
    await stand.pay(payment);
    await stand.settle();
    const intent = intentOf(payment.clientSecret);
    const old = await stand.provider.findPayment(intent);
    let asked = 0;
    const slow = {
      ...stand.provider,
      async findPayment(id: string) {
        asked += 1;
        if (asked > 1) return stand.provider.findPayment(id);
        await refundPayment(db, oneAccount(stand.provider), {
          publicId: payment.paymentId,
          amountPence: 400,
          now: new Date(),
        });
        return old;
      },
    };
    expect(await settlePayment(db, slow, { providerPaymentId: intent, now: new Date() })).toMatchObject({
      changed: false,
    });
    expect(await visitor.stateOf(payment.paymentId)).toBe("partly_refunded");
  });
});

describe("G3 refunds", () => {
  const refund = (publicId: string, amountPence: number | null) =>
    refundPayment(db, oneAccount(stand.provider), { publicId, amountPence, now: new Date() });
  const paid = async (amountPence: number) => {
    const payment = await visitor.start(amountPence);
    await stand.pay(payment);
    await stand.settle();
    return payment.paymentId;
  };

  test("G3 a partial refund and the rest are posted to the ledger and announced to the partner", async () => {
    const before = await held();
    const id = await paid(1000);
    expect(await refund(id, 300)).toMatchObject({
      outcome: "refunded",
      payment: { state: "partly_refunded", refundedPence: 300 },
    });
    expect(await held()).toBe(before + 700);
    expect(await refund(id, null)).toMatchObject({
      outcome: "refunded",
      payment: { state: "refunded", refundedPence: 1000 },
    });
    await stand.settle();
    expect(await held()).toBe(before);
    expect(await visitor.stateOf(id)).toBe("refunded");
    expect((await stand.news(id)).map(({ type, data }) => [type, data["refundedPence"]])).toEqual([
      ["payment.paid", undefined],
      ["payment.refunded", 300],
      ["payment.refunded", 1000],
    ]);
  });

  test("G3 two concurrent orders of the same refund make one refund", async () => {
    const id = await paid(1000);
    // Both have decided before either is carried out.
    let decided = 0;
    const bothDecided = Promise.withResolvers<void>();
    const together: CardProvider = {
      ...stand.provider,
      async refund(request) {
        decided += 1;
        if (decided === 2) bothDecided.resolve();
        await bothDecided.promise;
        return stand.provider.refund(request);
      },
    };
    const order = { publicId: id, amountPence: 300, now: new Date() };
    await Promise.all([refundPayment(db, oneAccount(together), order), refundPayment(db, oneAccount(together), order)]);
    await stand.settle();
    const { refunded_pence } = await db
      .selectFrom("payments")
      .select("refunded_pence")
      .where("public_id", "=", id)
      .executeTakeFirstOrThrow();
    expect(refunded_pence).toBe(300);
  });

  test("G3 a refund made in the provider's dashboard arrives by webhook", async () => {
    const payment = await visitor.start(600);
    await stand.pay(payment);
    await stand.settle();
    await stand.cards.stripe.refunds.create({ payment_intent: intentOf(payment.clientSecret), amount: 100 });
    await stand.settle();
    expect(await visitor.stateOf(payment.paymentId)).toBe("partly_refunded");
  });

  test("G3 a refund beyond the remaining amount, or of an unpaid payment, is refused", async () => {
    const id = await paid(1000);
    expect(await refund(id, 1001)).toMatchObject({ outcome: "more-than-left" });
    const { paymentId } = await visitor.start();
    expect(await refund(paymentId, null)).toMatchObject({ outcome: "not-paid" });
    expect(await refund("AbCdEfGhIjKlMnOpQrStUv", null)).toEqual({ outcome: "no-such-payment" });
  });

  test("G3 a payment outlives its session, and can still be refunded", async () => {
    const before = await held();
    const id = await paid(450);
    const later = new Date(Date.now() + 31 * 24 * 60 * 60_000);
    expect(await forgetOldWidgetSessions(db, { now: later })).toBeGreaterThan(0);
    expect((await visitor.get(id)).status).toBe(401);
    expect(await refund(id, null)).toMatchObject({ outcome: "refunded", payment: { state: "refunded" } });
    expect(await held()).toBe(before);
    expect(await forgetOldCardEvents(db, { now: new Date() })).toBe(0);
    expect(await forgetOldCardEvents(db, { now: later })).toBeGreaterThan(0);
  });

  test("C4 the check finds a payment whose posting is missing", async () => {
    const trial = db.transaction().execute(async (trx) => {
      await trx
        .updateTable("payments")
        .set((row) => ({ state: "paid", version: row("version", "+", 1) }))
        .where("public_id", "=", (await visitor.start(650)).paymentId)
        .execute();
      expect(await checkPayments(trx)).toEqual([expect.stringContaining("650 pence in payment_held, and has 0")]);
      throw new Error("undone");
    });
    await expect(trial).rejects.toThrow("undone");
  });
});
