import { addApiKey } from "@farthing/core/partners/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import type { PaymentAnswer, RefundAnswer } from "@farthing/core/payments/partner-schema.ts";
import {
  paymentAnswerSchema,
  refundAnswerSchema,
  refundListAnswerSchema,
} from "@farthing/core/payments/partner-schema.ts";
import { eventDataSchemas } from "@farthing/core/payments/partner-event-schema.ts";
import { findPaymentRecord } from "@farthing/core/payments/operator-payments.server.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import {
  CardProviderRefusalError,
  CardProviderUnavailableError,
  type CardProvider,
} from "@farthing/core/payments/provider.ts";
import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { htmlPage } from "../app.testing.ts";
import { finishRefunds } from "../payments/payment-jobs.ts";
import { intentOf, oneAccount, startCheckedPayments } from "../payments/payments.testing.ts";
import { frameServer } from "./frames.testing.ts";

const { db } = await testDatabase();
const stand = await startCheckedPayments(db);

/** Returns the API over some accounts, as a partner's server calls it with a key. */
const apiOf = (key: string, cards: CardAccounts = oneAccount(stand.provider)) => {
  const server = frameServer(db, async (_, visit) => htmlPage("page", visit), { cards });
  server.clock.now = new Date();
  const headers = { authorization: `Bearer ${key}` };
  return {
    get: (path: string) => server.get(`/api/partner/${path}`, headers),
    refund: async (id: string, body: unknown, idempotencyKey: string | null = crypto.randomUUID()) =>
      server.post(`/api/partner/payments/${id}/refunds`, typeof body === "string" ? body : JSON.stringify(body), {
        ...headers,
        "content-type": "application/json",
        ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
      }),
  };
};
const api = (cards?: CardAccounts) => apiOf(stand.partner.key, cards);

const paid = async (amountPence = 1000, session: Parameters<typeof stand.visitor>[0] = {}) => {
  const visitor = await stand.visitor(session);
  const payment = await visitor.start(amountPence);
  await stand.pay(payment);
  await stand.settle();
  return { id: payment.paymentId, intent: intentOf(payment.clientSecret), sessionId: visitor.sessionId };
};
const bodyOf = async <Body>(response: Response): Promise<Body> => (await response.json()) as Body;
const providerNameOf = async (refundId: string) => {
  const row = await db
    .selectFrom("payment_refunds")
    .select("provider_refund_id")
    .where("id", "=", refundId)
    .executeTakeFirst();
  return row?.provider_refund_id;
};
const refundedAtProvider = async (intent: string) => (await stand.provider.findPayment(intent))?.refundedPence;

describe("W10 reading payments", () => {
  test("W10 a partner reads its payment with its state, its session and the session's reference", async () => {
    const { id, sessionId } = await paid(1234, { reference: "basket-1042" });
    const response = await api().get(`payments/${id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const payment = paymentAnswerSchema.strict().parse(await response.json());
    expect(payment).toMatchObject({ id, sessionId, sessionReference: "basket-1042", reference: "Basket 7" });
    expect(payment).toMatchObject({ mode: "live", state: "paid", amountPence: 1234, refundedPence: 0 });
  });

  test("W10 a failed payment says why it was declined, in the list too, until another card pays it", async () => {
    const visitor = await stand.visitor();
    const payment = await visitor.start(700);
    await stand.pay(payment, "4000000000009995");
    await stand.settle();
    const read = async () =>
      paymentAnswerSchema.strict().parse(await (await api().get(`payments/${payment.paymentId}`)).json());
    const listed = async () =>
      (await bodyOf<{ payments: PaymentAnswer[] }>(await api().get(`payments?sessionId=${visitor.sessionId}`)))
        .payments[0];
    expect(await read()).toMatchObject({ state: "failed", failureCode: "insufficient_funds" });
    expect(await listed()).toEqual(await read());
    await stand.pay(payment);
    await stand.settle();
    expect(await read()).toMatchObject({ state: "paid", failureCode: null });
    const history = (await findPaymentRecord(db, { publicId: payment.paymentId }))?.changes;
    expect(history?.map(({ state, failureCode }) => [state, failureCode])).toEqual([
      ["created", null],
      ["awaiting_payment", null],
      ["failed", "insufficient_funds"],
      ["paid", null],
    ]);
  });

  test("W10 a second card that is declined for another reason is announced, and is the reason from then on", async () => {
    const visitor = await stand.visitor();
    const payment = await visitor.start(700);
    const told = async () =>
      (await stand.news(payment.paymentId)).map(({ type, data }) => [type, data["failureCode"] ?? null]);
    const read = async () => paymentAnswerSchema.parse(await (await api().get(`payments/${payment.paymentId}`)).json());
    for (const card of ["4000000000009995", "4000000000000069", "4000000000000069"]) {
      await stand.pay(payment, card);
      await stand.settle();
    }
    expect(await read()).toMatchObject({ state: "failed", failureCode: "expired_card" });
    const declines = [
      ["payment.failed", "insufficient_funds"],
      ["payment.failed", "expired_card"],
    ];
    expect(await told(), "two declines with the same code are one").toEqual(declines);
    const again = { providerPaymentId: intentOf(payment.clientSecret), now: new Date() };
    expect(await settlePayment(db, stand.provider, again)).toMatchObject({ outcome: "settled", changed: false });
    const history = (await findPaymentRecord(db, { publicId: payment.paymentId }))?.changes;
    expect(history?.map(({ state, failureCode }) => [state, failureCode])).toEqual([
      ["created", null],
      ["awaiting_payment", null],
      ["failed", "insufficient_funds"],
      ["failed", "expired_card"],
    ]);
    await stand.pay(payment);
    await stand.settle();
    expect(await read()).toMatchObject({ state: "paid", failureCode: null });
    expect(await told()).toEqual([...declines, ["payment.paid", null]]);
  });

  test("W10 S1 another partner, a test key and an id that is none see no payment", async () => {
    const { id } = await paid();
    const other = await makePartner(db, { name: "Another shop" });
    const testKey = (await addApiKey(db, { partnerId: stand.partner.id, mode: "test" })).key;
    for (const key of [other.key, testKey]) {
      expect((await apiOf(key).get(`payments/${id}`)).status).toBe(404);
      expect((await apiOf(key).refund(id, {})).status).toBe(404);
      expect(await bodyOf(await apiOf(key).get("payments"))).toEqual({ payments: [], nextCursor: null });
      expect((await apiOf(key).get(`payments?cursor=${id}`)).status).toBe(422);
    }
    for (const odd of ["x", "%20", "a".repeat(500), "..%2f"])
      expect((await api().get(`payments/${odd}`)).status).toBe(404);
  });

  test("W10 pages of the list join into all payments, once each, also while others are made", async () => {
    const partner = await makePartner(db, { name: "Pages" });
    const made: string[] = [];
    const make = async () => {
      const visitor = await stand.visitor({ partnerId: partner.id, origin: partner.origin });
      made.unshift((await visitor.start(500)).paymentId);
    };
    for (let count = 0; count < 5; count += 1) await make();
    const wanted = [...made];
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "payments?limit=2" : `payments?limit=2&cursor=${cursor}`;
      const page = await bodyOf<{ payments: PaymentAnswer[]; nextCursor: string | null }>(
        await apiOf(partner.key).get(query),
      );
      seen.push(...page.payments.map(({ id }) => id));
      cursor = page.nextCursor;
      await make();
    }
    expect(seen).toEqual(wanted);
  });

  test("W10 the list is filtered by reference, session, state and time", async () => {
    const { id, sessionId } = await paid(700, { reference: "find-me" });
    const idsOf = async (query: string) =>
      (await bodyOf<{ payments: PaymentAnswer[] }>(await api().get(`payments?${query}`))).payments.map((row) => row.id);
    const { createdAt } = await bodyOf<PaymentAnswer>(await api().get(`payments/${id}`));
    const after = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(await idsOf("reference=find-me")).toEqual([id]);
    expect(await idsOf(`sessionId=${sessionId}&state=paid`)).toEqual([id]);
    expect(await idsOf(`sessionId=${sessionId}&state=failed`)).toEqual([]);
    expect(await idsOf(`sessionId=${sessionId}&createdFrom=${createdAt}&createdBefore=${after}`)).toEqual([id]);
    expect(await idsOf(`sessionId=${sessionId}&createdFrom=${after}`)).toEqual([]);
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=1e1",
    "state=gone",
    "sessionId=x",
    "createdFrom=now",
    "colour=red",
    "limit=1&limit=2",
  ])("W10 Z5 ?%s is refused with the parameter's name", async (query) => {
    const response = await api().get(`payments?${query}`);
    expect(response.status).toBe(422);
    const { errors } = await bodyOf<{ errors: { field: string }[] }>(response);
    expect(errors.length).toBeGreaterThan(0);
  });
});

describe("W10 G3 refunds by the partner's server", () => {
  test("W10 G3 a part and then the rest are refunded, posted and announced with the session", async () => {
    const { id, intent, sessionId } = await paid(1000, { reference: "basket-9" });
    const first = await api().refund(id, { amountPence: 300 });
    expect(first.status).toBe(201);
    const refund = refundAnswerSchema.parse(await first.json());
    expect(refund).toMatchObject({ amountPence: 300, payment: { state: "partly_refunded", refundedPence: 300 } });
    const rest = await bodyOf<RefundAnswer>(await api().refund(id, {}));
    expect(rest).toMatchObject({ amountPence: 700, payment: { state: "refunded", refundedPence: 1000 } });
    expect(await refundedAtProvider(intent)).toBe(1000);
    await stand.settle();
    const news = (await stand.news(id)).filter(({ type }) => type === "payment.refunded");
    expect(news.map(({ data }) => [data["refundId"], data["refundPence"], data["refundedPence"]])).toEqual([
      [refund.id, 300, 300],
      [rest.id, 700, 1000],
    ]);
    expect(news[0]?.data).toMatchObject({ sessionId, sessionReference: "basket-9" });
    for (const { data } of news) z.strictObject(eventDataSchemas["payment.refunded"].shape).parse(data);
  });

  test("W10 G3 refunds are listed with who made them and what became of them, newest first and in pages", async () => {
    const { id, intent } = await paid(1000);
    const made = await bodyOf<RefundAnswer>(await api().refund(id, { amountPence: 300 }));
    const refuse = async () => Promise.reject(new CardProviderRefusalError("Too little balance.", null));
    await api(oneAccount({ ...stand.provider, refund: refuse })).refund(id, { amountPence: 100 });
    await stand.cards.stripe.refunds.create({ payment_intent: intent, amount: 50 });
    await stand.settle();
    const list = async (query = "") =>
      refundListAnswerSchema.parse(await (await api().get(`payments/${id}/refunds${query}`)).json());
    const { refunds, nextCursor } = await list();
    expect(refunds.map(({ amountPence, state, madeBy }) => [amountPence, state, madeBy])).toEqual([
      [50, "succeeded", "club"],
      [100, "refused", "partner"],
      [300, "succeeded", "partner"],
    ]);
    expect(refunds[2]).toMatchObject({ id: made.id, createdAt: made.createdAt });
    expect(nextCursor).toBeNull();
    const told = (await stand.news(id)).filter(({ type }) => type === "payment.refunded").map(({ data }) => data);
    expect(told.map((data) => [data["refundId"], data["refundPence"], data["refundedPence"]])).toEqual([
      [made.id, 300, 300],
      [refunds[0]?.id, 50, 350],
    ]);
    const first = await list("?limit=2");
    expect(first.refunds).toEqual(refunds.slice(0, 2));
    expect(await list(`?limit=2&cursor=${first.nextCursor}`)).toEqual({
      refunds: refunds.slice(2),
      nextCursor: null,
    });
    await stand.cards.test.json("POST", `/control/cards/refunds/${await providerNameOf(made.id)}/fail`);
    await stand.settle();
    expect((await list()).refunds.map(({ state }) => state)).toEqual(["succeeded", "refused", "failed"]);
    const other = await makePartner(db);
    expect((await apiOf(other.key).get(`payments/${id}/refunds`)).status).toBe(404);
    for (const query of ["cursor=x", `cursor=${crypto.randomUUID()}`, "state=failed"])
      expect((await api().get(`payments/${id}/refunds?${query}`)).status, query).toBe(422);
  });

  test("W10 G3 a refund is announced without an id where the card provider does not list refunds", async () => {
    const { id } = await paid(1000);
    const findRefunds = async () => Promise.reject(new CardProviderRefusalError("Not with this key.", null));
    await api(oneAccount({ ...stand.provider, findRefunds })).refund(id, { amountPence: 300 });
    await stand.settle();
    const told = (await stand.news(id)).filter(({ type }) => type === "payment.refunded").map(({ data }) => data);
    expect(told).toMatchObject([{ refundId: null, refundPence: 300, refundedPence: 300 }]);
  });

  test("W10 G3 the same key and body refund once and get the same answer; another body is refused", async () => {
    const { id, intent } = await paid(1000);
    const key = "refund-key-0001";
    const first = await api().refund(id, { amountPence: 200 }, key);
    const text = await first.text();
    const again = await api().refund(id, ' { "amountPence" : 200 } ', key);
    expect([again.status, await again.text()]).toEqual([201, text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await api().refund(id, { amountPence: 201 }, key);
    expect(other.status).toBe(422);
    expect(await refundedAtProvider(intent)).toBe(200);
  });

  test("W10 G3 100 refunds at once never exceed the payment, and exactly those answered 201 were made", async () => {
    const { id, intent } = await paid(1000);
    const ask = async (amountPence: number) => api().refund(id, { amountPence });
    const statuses = (await Promise.all(Array.from({ length: 100 }, async () => ask(30)))).map(({ status }) => status);
    const made = statuses.filter((status) => status === 201).length;
    expect(made).toBeGreaterThan(0);
    expect(statuses.filter((status) => ![201, 409, 422].includes(status))).toEqual([]);
    expect(await refundedAtProvider(intent)).toBe(made * 30);
    // Alone, the rest can be refunded, and then nothing more.
    expect((await ask(1000 - made * 30)).status).toBe(201);
    expect((await ask(1)).status).toBe(422);
    expect(await refundedAtProvider(intent)).toBe(1000);
  });

  test("W10 G3 a refund that the card provider refused is asked for again with a new key; its own gets the refusal", async () => {
    const { id, intent } = await paid(1000);
    const refusing = {
      ...stand.provider,
      refund: async () => Promise.reject(new CardProviderRefusalError("Too little balance.", null)),
    };
    const key = "refused-once";
    const refused = await api(oneAccount(refusing)).refund(id, { amountPence: 300 }, key);
    expect(refused.status).toBe(422);
    const text = await refused.text();
    expect(text).toContain("another Idempotency-Key");
    const again = await api().refund(id, { amountPence: 300 }, key);
    expect([again.status, await again.text()]).toEqual([422, text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await api().refund(id, { amountPence: 300 }, "refused-no-more")).status).toBe(201);
    expect(await refundedAtProvider(intent)).toBe(300);
  });

  test("W10 G3 while other refunds run a key waits with 409, and the same key refunds when they have failed", async () => {
    const { id, intent } = await paid(1000);
    const refused = Promise.withResolvers<never>();
    const asked = Promise.withResolvers<void>();
    const slow = {
      ...stand.provider,
      refund: async () => {
        asked.resolve();
        return refused.promise;
      },
    };
    const running = api(oneAccount(slow)).refund(id, {});
    await asked.promise;
    const waits = await api().refund(id, { amountPence: 400 }, "waits-for-another");
    expect(waits.status).toBe(409);
    expect(waits.headers.get("retry-after")).toBe("1");
    refused.reject(new CardProviderRefusalError("Too little balance.", null));
    expect((await running).status).toBe(422);
    const answer = await api().refund(id, { amountPence: 400 }, "waits-for-another");
    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(await refundedAtProvider(intent)).toBe(400);
  });

  test("W10 G3 of concurrent requests with one key, one refunds and the others are told to wait or get its answer", async () => {
    const { id, intent } = await paid(1000);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => api().refund(id, { amountPence: 100 }, "one-key-for-ten")),
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect((await api().refund(id, { amountPence: 100 }, "one-key-for-ten")).status).toBe(201);
    expect(await refundedAtProvider(intent)).toBe(100);
  });

  test("W10 G3 a crash between the provider's refund and our record refunds once, by the caller or by the worker", async () => {
    for (const finisher of ["caller", "worker"] as const) {
      const { id, intent } = await paid(1000);
      const dying: CardProvider = {
        ...stand.provider,
        findPayment: async () => Promise.reject(new CardProviderUnavailableError("killed here")),
      };
      const key = `crash-${finisher}`;
      const cut = await api(oneAccount(dying)).refund(id, { amountPence: 400 }, key);
      expect(cut.status).toBe(503);
      expect(cut.headers.get("retry-after")).toBe("5");
      expect(await refundedAtProvider(intent)).toBe(400);
      if (finisher === "caller") expect((await api().refund(id, { amountPence: 400 }, key)).status).toBe(201);
      const logger = { info: () => {}, warn: () => {}, error: () => {} };
      const now = () => new Date(Date.now() + 3 * 60_000);
      const finished = await finishRefunds({ db, cards: oneAccount(stand.provider), logger, now });
      expect(finished).toBe(finisher === "worker" ? 1 : 0);
      expect(await refundedAtProvider(intent)).toBe(400);
      expect(await bodyOf<PaymentAnswer>(await api().get(`payments/${id}`))).toMatchObject({ refundedPence: 400 });
    }
  });

  test("W10 G3 a refund without an answer for 20 hours is not sent again, because the provider forgets keys, and decided after 26", async () => {
    const { id, intent } = await paid(1000);
    const down = { ...stand.provider, refund: async () => Promise.reject(new CardProviderUnavailableError("down")) };
    expect((await api(oneAccount(down)).refund(id, { amountPence: 400 })).status).toBe(503);
    const errors: object[] = [];
    const logger = { info: () => {}, warn: () => {}, error: (about: object) => void errors.push(about) };
    const start = Date.now();
    const finish = (hours: number) => {
      const now = () => new Date(start + hours * 3_600_000);
      return finishRefunds({ db, cards: oneAccount(stand.provider), logger, now });
    };
    expect([await finish(21), await finish(21)]).toEqual([1, 0]);
    expect(errors).toEqual([]);
    expect((await api().refund(id, { amountPence: 700 }, "the-rest-and-more")).status).toBe(409);
    expect([await finish(26), await finish(48)]).toEqual([1, 0]);
    expect(errors).toMatchObject([{ payment: id, outcome: "refused" }]);
    expect(await refundedAtProvider(intent)).toBe(0);
    expect((await api().refund(id, { amountPence: 700 }, "the-rest-again")).status).toBe(201);
  });

  test("W C4 the payment outlives its session, and keeps everything else", async () => {
    const { id } = await paid(1000);
    const set = (values: object) => db.updateTable("payments").set(values).where("public_id", "=", id).execute();
    for (const other of [{ amount_pence: 1 }, { reference: "Another" }, { partner_id: (await makePartner(db)).id }])
      await expect(set({ widget_session_id: null, ...other })).rejects.toThrow(/keeps its|changes by one version/);
    await set({ widget_session_id: null });
    expect(await bodyOf<PaymentAnswer>(await api().get(`payments/${id}`))).toMatchObject({ amountPence: 1000 });
  });

  test("W10 Z5 an unpaid payment, too much, no key and a huge or broken body are refused with what to do", async () => {
    const visitor = await stand.visitor();
    const { paymentId } = await visitor.start(500);
    const { id } = await paid(500);
    const statusAndTitle = async (response: Response) => {
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      const { title, detail } = await bodyOf<{ title: string; detail: string }>(response);
      expect(detail).toMatch(/\.$/);
      return `${response.status} ${title}`;
    };
    const refund = async (...given: Parameters<ReturnType<typeof api>["refund"]>) =>
      statusAndTitle(await api().refund(...given));
    expect(await refund(paymentId, {})).toBe("422 Not paid");
    expect(await refund(id, { amountPence: 501 })).toBe("422 More than is left");
    expect(await refund(id, {}, null)).toBe("400 Idempotency-Key missing");
    expect(await refund(id, {}, "short")).toBe("400 Bad Idempotency-Key");
    expect(await refund(id, {}, "x".repeat(256))).toBe("400 Bad Idempotency-Key");
    expect(await refund(id, { amountPence: 0 })).toBe("422 Not as described");
    expect(await refund(id, { amountPence: 1.5 })).toBe("422 Not as described");
    expect(await refund(id, { amountPence: 1, to: "me" })).toBe("422 Not as described");
    expect(await refund(id, "{")).toBe("400 Bad JSON");
    expect(await refund(id, JSON.stringify({ amountPence: 1, pad: "x".repeat(9000) }))).toBe("413 Too large");
  });
});

describe("W10 test mode", () => {
  test("W10 C4 a test payment is paid and refunded at the test side alone, in no live list and in no book", async () => {
    const partner = await makePartner(db, { name: "Testing shop" });
    const testKey = (await addApiKey(db, { partnerId: partner.id, mode: "test" })).key;
    expect(testKey).toMatch(/^fpk_test_[a-z0-9]{8}_/);
    const entries = async () =>
      (
        await db
          .selectFrom("ledger_transfers")
          .select((row) => row.fn.countAll().as("count"))
          .executeTakeFirst()
      )?.count;
    const before = await entries();
    const { id, intent } = await paid(1000, { partnerId: partner.id, origin: partner.origin, mode: "test" });
    const refused = new Proxy({} as CardProvider, {
      get: () => () => {
        throw new Error("The live side was reached.");
      },
    });
    const sides = { live: refused, test: stand.provider };
    expect((await apiOf(testKey, sides).refund(id, {})).status).toBe(201);
    expect(await refundedAtProvider(intent)).toBe(1000);
    expect(await bodyOf<PaymentAnswer>(await apiOf(testKey).get(`payments/${id}`))).toMatchObject({
      mode: "test",
      state: "refunded",
    });
    expect((await apiOf(partner.key).get(`payments/${id}`)).status).toBe(404);
    expect(await bodyOf(await apiOf(partner.key).get("payments"))).toMatchObject({ payments: [] });
    expect(await entries()).toBe(before);
    expect(await stand.news(id)).toEqual([]); // the partner has no webhook for test mode
  });

  test("W10 G3 an event signed by the test side changes no live payment", async () => {
    const visitor = await stand.visitor();
    // Before the payment: every event of it makes the live side ask the provider.
    await stand.switches({ hold: true });
    const payment = await visitor.start(900);
    await stand.pay(payment);
    const live = { ...stand.provider, readWebhook: () => ({ outcome: "refused", why: "Another secret." }) as const };
    const { app } = stand.appWith({ live, test: stand.provider });
    const event = {
      id: `evt_${crypto.randomUUID()}`,
      object: "event",
      type: "payment_intent.succeeded",
      data: { object: { id: intentOf(payment.clientSecret), object: "payment_intent" } },
    };
    expect((await stand.deliver(event, { to: app })).status).toBe(200);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
    await stand.switches({ hold: false });
  });

  test("W10 without a test side, a test key can refund nothing and its frame can pay nothing", async () => {
    const testKey = (await addApiKey(db, { partnerId: stand.partner.id, mode: "test" })).key;
    const { id } = await paid(800, { mode: "test" });
    const sides = { live: stand.provider, test: null };
    expect((await apiOf(testKey, sides).refund(id, {})).status).toBe(503);
    const visitor = await stand.visitor({ mode: "test" });
    const { app } = stand.appWith(sides);
    const body = { amountPence: 500, reference: "x", idempotencyKey: crypto.randomUUID() };
    expect((await visitor.post(body, app)).status).toBe(503);
  });
});
