import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { checkPayments } from "@farthing/core/payments/check.server.ts";
import { claimOverduePayments, forgetOldLookups } from "@farthing/core/payments/overdue-payments.server.ts";
import type { CardProvider } from "@farthing/core/payments/provider.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { intentOf, oneAccount, startPayments } from "./payments.testing.ts";
import { settleOverdue, startPaymentJobs } from "./payment-jobs.ts";

const { db } = await testDatabase();
let stand: Awaited<ReturnType<typeof startPayments>>;
let visitor: Awaited<ReturnType<typeof stand.visitor>>;
const clock = { now: new Date() };
const wait = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
const logged: { level: string; fields: object }[] = [];
const log = (level: string) => (fields: object) => void logged.push({ level, fields });
const logger = { info: log("info"), warn: log("warn"), error: log("error") };
const partsWith = (cards: CardProvider) => ({ db, cards: oneAccount(cards), logger, now: () => clock.now });
const pass = (cards: CardProvider = stand.provider) => settleOverdue(partsWith(cards));
const down = createStripeProvider({ secretKey: "sk_test_x", webhookSecret: "whsec_x", apiUrl: "http://127.0.0.1:1" });

beforeAll(async () => {
  stand = await startPayments(db);
});
beforeEach(async () => {
  visitor = await stand.visitor();
  // Webhooks are held until a test releases them.
  await stand.switches({ hold: true });
  clock.now = new Date();
  logged.length = 0;
});
afterEach(async () => {
  await letWebhooksThrough();
  // No open payment is left for the next test.
  const open = await db
    .selectFrom("payments")
    .select("provider_payment_id as id")
    .where("state", "=", "awaiting_payment")
    .execute();
  for (const { id } of open) await stand.cards.stripe.paymentIntents.cancel(String(id));
  await stand.settle();
  expect((await checkLedger(db)).faults).toEqual([]);
  expect(await checkPayments(db)).toEqual([]);
});
afterAll(() => stand.end());

async function letWebhooksThrough() {
  await stand.switches({ hold: false });
  await stand.release("oldest first");
  await stand.settle();
}
const held = () => findBalance(db, { account: { kind: "payment_held" } });
const typesOf = async (paymentId: string) => (await stand.news(paymentId)).map(({ type }) => type);
const statusOf = async ({ clientSecret }: { clientSecret: string }) =>
  (await stand.cards.stripe.paymentIntents.retrieve(intentOf(clientSecret))).status;

describe("G3 payments whose webhook never came", () => {
  test("G3 a paid payment is settled in one pass, and posted once although the webhook follows", async () => {
    const before = await held();
    const payment = await visitor.start(1500);
    await stand.pay(payment);
    wait(1);
    expect(await pass()).toBe(0);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
    wait(2);
    expect(await pass()).toBe(1);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
    await letWebhooksThrough();
    expect(await held()).toBe(before + 1500);
    expect(await typesOf(payment.paymentId)).toEqual(["payment.paid"]);
    wait(60);
    expect(await pass()).toBe(0);
    expect(await forgetOldLookups(db)).toBe(1);
  });

  test("G3 a payment is claimed after exactly two minutes without news, and again when its lease ends", async () => {
    const { paymentId } = await visitor.start(1500);
    const { changed_at: changed } = await db
      .selectFrom("payments")
      .select("changed_at")
      .where("public_id", "=", paymentId)
      .executeTakeFirstOrThrow();
    const claim = async (ms: number) =>
      (await claimOverduePayments(db, { now: new Date(changed.getTime() + ms), leaseMs: 60_000, max: 9 })).length;
    expect(await claim(119_999)).toBe(0);
    expect(await claim(120_000)).toBe(1);
    expect(await claim(179_999)).toBe(0);
    expect(await claim(180_000)).toBe(1);
  });

  test("G3 a card that was accepted after a declined one is found too", async () => {
    const payment = await visitor.start();
    await stand.pay(payment, "4000000000000002");
    wait(3);
    await pass();
    expect(await visitor.stateOf(payment.paymentId)).toBe("failed");
    await stand.pay(payment);
    wait(5);
    await pass();
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("P6 while the provider is down payments are looked up again at growing intervals", async () => {
    const payment = await visitor.start();
    await stand.pay(payment);
    wait(3);
    for (const minutes of [2, 4, 8, 16, 30, 30]) {
      expect(await pass(down)).toBe(1);
      wait(minutes - 0.1);
      expect(await pass()).toBe(0);
      wait(0.1);
    }
    expect(logged.map(({ level }) => level)).toEqual(Array(6).fill("warn"));
    expect(await pass()).toBe(1);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("G3 a contradiction is logged for a person and does not delay other payments", async () => {
    const [odd, good] = [await visitor.start(), await visitor.start()];
    await stand.pay(good);
    await stand.cards.stripe.paymentIntents.update(intentOf(odd.clientSecret), { amount: 999 });
    wait(3);
    expect(await pass()).toBe(2);
    expect(await visitor.stateOf(good.paymentId)).toBe("paid");
    expect(logged).toContainEqual({ level: "error", fields: expect.objectContaining({ payment: odd.paymentId }) });
    await stand.cards.stripe.paymentIntents.update(intentOf(odd.clientSecret), { amount: 1234 });
  });

  test("G3 concurrent workers look each payment up once, and post it once", async () => {
    const before = await held();
    const payments = [];
    for (let made = 0; made < 8; made += 1) payments.push(await visitor.start(100));
    for (const payment of payments) await stand.pay(payment);
    wait(3);
    const asked: string[] = [];
    const counting = {
      ...stand.provider,
      findPayment(id: string) {
        asked.push(id);
        return stand.provider.findPayment(id);
      },
    };
    const taken = await Promise.all([pass(counting), pass(counting), pass(counting)]);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(8);
    expect(asked.toSorted()).toEqual(payments.map(({ clientSecret }) => intentOf(clientSecret)).toSorted());
    expect(await held()).toBe(before + 800);
  });

  test("G3 a claim skips a payment that another worker is claiming, without waiting", async () => {
    await visitor.start();
    wait(3);
    const claim = { now: clock.now, leaseMs: 120_000, max: 10 };
    await db.transaction().execute(async (trx) => {
      expect(await claimOverduePayments(trx, claim)).toHaveLength(1);
      expect(await claimOverduePayments(db, claim)).toEqual([]);
    });
  });

  test("G3 a worker that saw a payment as due before another claimed it does not claim it again", async () => {
    const payment = await visitor.start();
    wait(3);
    const claim = { now: clock.now, leaseMs: 120_000, max: 10 };
    const late = await db.transaction().execute(async (trx) => {
      await sql`insert into payment_lookups select id, 1, ${new Date(clock.now.getTime() + 120_000)}::timestamptz
        from payments where public_id = ${payment.paymentId}`.execute(trx);
      const claiming = claimOverduePayments(db, claim);
      const isWaiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      // Outside the transaction, which would see the same snapshot every time.
      while ((await isWaiting.execute(db)).rows.length === 0);
      return { claiming };
    });
    expect(await late.claiming).toEqual([]);
  });

  test("P6 a payment of a killed worker is looked up by the next when the lease ends", async () => {
    const payment = await visitor.start();
    await stand.pay(payment);
    wait(3);
    expect(await claimOverduePayments(db, { now: clock.now, leaseMs: 120_000, max: 10 })).toHaveLength(1);
    expect(await pass()).toBe(0);
    wait(2);
    expect(await pass()).toBe(1);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("P6 a process that stops does not wait for a slow provider; the next one settles the payment", async () => {
    const payment = await visitor.start();
    await stand.pay(payment);
    wait(3);
    const asked = Promise.withResolvers<void>();
    const silent = {
      ...stand.provider,
      findPayment() {
        asked.resolve();
        return new Promise<never>(() => {});
      },
    };
    const jobs = startPaymentJobs(partsWith(silent));
    await asked.promise;
    await jobs.close();
    expect(logged).toEqual([]);
    wait(2);
    expect(await pass()).toBe(1);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });
});

describe("G3 abandoned payments", () => {
  const DAY = 24 * 60;

  test("G3 after 24 hours an unpaid payment is cancelled at the provider and here, and announced to the partner once", async () => {
    const payment = await visitor.start();
    wait(DAY - 1);
    await pass();
    expect(await statusOf(payment)).toBe("requires_payment_method");
    wait(3);
    await Promise.all([pass(), pass()]);
    expect(await statusOf(payment)).toBe("canceled");
    const { state } = await db
      .selectFrom("payments")
      .select("state")
      .where("public_id", "=", payment.paymentId)
      .executeTakeFirstOrThrow();
    expect(state).toBe("cancelled");
    await letWebhooksThrough();
    expect(await stand.news(payment.paymentId)).toMatchObject([
      { type: "payment.failed", data: { failureCode: null } },
    ]);
  });

  test("G3 an old payment that was paid is settled, not cancelled", async () => {
    const payment = await visitor.start();
    await stand.pay(payment);
    wait(DAY + 1);
    await pass();
    expect(await statusOf(payment)).toBe("succeeded");
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("G3 a payment that is paid just before its cancellation is settled as paid", async () => {
    const payment = await visitor.start();
    wait(DAY + 1);
    const paidMeanwhile: CardProvider = {
      ...stand.provider,
      async cancelPayment(request) {
        await stand.pay(payment);
        return stand.provider.cancelPayment(request);
      },
    };
    await pass(paidMeanwhile);
    expect(await visitor.stateOf(payment.paymentId)).toBe("paid");
  });

  test("P6 a payment that was cancelled at the provider before the process died is cancelled here by the next", async () => {
    const payment = await visitor.start();
    wait(DAY + 1);
    const dies: CardProvider = {
      ...stand.provider,
      async cancelPayment(request) {
        await stand.provider.cancelPayment(request);
        return down.cancelPayment(request);
      },
    };
    await pass(dies);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
    wait(2);
    await pass();
    expect(await visitor.stateOf(payment.paymentId)).toBe("cancelled");
  });
});
