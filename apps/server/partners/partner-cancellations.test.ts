import { addApiKey } from "@farthing/core/partners/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { mintAnswerSchema } from "@farthing/core/partners/schema.ts";
import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { expiredSessionSchema, paymentAnswerSchema } from "@farthing/core/payments/partner-schema.ts";
import {
  CardProviderRefusalError,
  CardProviderUnavailableError,
  type CardProvider,
} from "@farthing/core/payments/provider.ts";
import type { StartedPaymentAnswer } from "@farthing/core/payments/schema.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { describe, expect, test } from "vitest";
import { htmlPage } from "../app.testing.ts";
import { intentOf, oneAccount, startCheckedPayments } from "../payments/payments.testing.ts";
import { frameServer } from "./frames.testing.ts";

const { db } = await testDatabase();
const stand = await startCheckedPayments(db);

const down = createStripeProvider({ secretKey: "sk_test_x", webhookSecret: "whsec_x", apiUrl: "http://127.0.0.1:1" });

/** Returns the API as a partner's server calls it with a key, over some accounts. */
const apiOf = (key: string, cards: CardAccounts = oneAccount(stand.provider)) => {
  const server = frameServer(db, async (_, visit) => htmlPage("page", visit), { cards });
  server.clock.now = new Date();
  const post = async (path: string, body = "", headers: Record<string, string> = {}) => {
    server.clock.now = new Date();
    return server.post(`/api/partner/${path}`, body, {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...headers,
    });
  };
  return {
    server,
    post,
    mint: (more: object, headers: Record<string, string> = {}) =>
      post("sessions", JSON.stringify({ origin: "https://shop.example", ...more }), headers),
  };
};
const api = (cards?: CardAccounts) => apiOf(stand.partner.key, cards);
const read = async (response: Response) => (await response.json()) as Record<string, unknown>;
const statusOf = async ({ clientSecret }: StartedPaymentAnswer) =>
  (await stand.cards.stripe.paymentIntents.retrieve(intentOf(clientSecret))).status;

let orders = 0;
const newOrder = () => ({ amountPence: 3420, reference: `basket-${(orders += 1)}`, oncePerReference: true });
/** Mints a token for an order and opens its frame; returns the payer's half. */
async function open(order: { amountPence: number; reference: string; oncePerReference?: boolean }) {
  const partner = api();
  const minted = mintAnswerSchema.parse(await (await partner.mint(order)).json());
  const frame = await partner.server.get(partner.server.address("/pay", minted.token));
  const bearer = /farthing_widget=([\w-]{43})/.exec(frame.headers.get("set-cookie") ?? "")?.[1] ?? "";
  const askAt = async (app: typeof stand.app, key: string = crypto.randomUUID()) =>
    app.request("http://one.test/api/payments", {
      method: "POST",
      headers: { host: "one.test", authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ amountPence: order.amountPence, reference: order.reference, idempotencyKey: key }),
    });
  const ask = async () => askAt(stand.app);
  const start = async () => (await (await ask()).json()) as StartedPaymentAnswer;
  return { ...minted, ask, askAt, start };
}
const paidOf = async (reference: string) =>
  db.selectFrom("payments").select("id").where("reference", "=", reference).where("state", "=", "paid").execute();

describe("W10 an order that is paid once", () => {
  test("W10 a page that is loaded again after payment is told by which payment the order is paid", async () => {
    const order = newOrder();
    const payment = await (await open(order)).start();
    await stand.pay(payment);
    await stand.settle();
    const refused = await api().mint(order);
    expect(refused.status).toBe(409);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(await read(refused)).toMatchObject({
      type: "already-paid",
      status: 409,
      paymentId: payment.paymentId,
      state: "paid",
      detail: expect.stringContaining("another reference"),
    });
    expect((await api().mint({ ...order, oncePerReference: false })).status).toBe(201);
    expect((await api().mint({ ...order, reference: `${order.reference}-b` })).status).toBe(201);
    const other = await makePartner(db, { name: "Another shop" });
    const testKey = (await addApiKey(db, { partnerId: stand.partner.id, mode: "test" })).key;
    for (const key of [other.key, testKey]) expect((await apiOf(key).mint(order)).status).toBe(201);
  });

  test("W10 the refusal is not kept with an Idempotency-Key: after a refund as a whole the same request mints", async () => {
    const order = newOrder();
    const payment = await (await open(order)).start();
    await stand.pay(payment);
    await stand.settle();
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await api().mint(order, key)).status).toBe(409);
    const refund = await api().post(`payments/${payment.paymentId}/refunds`, "{}", {
      "idempotency-key": crypto.randomUUID(),
    });
    expect(refund.status).toBe(201);
    const minted = await api().mint(order, key);
    expect(minted.status).toBe(201);
    const again = await api().mint(order, key);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await read(again)).toEqual(await read(minted));
  });

  test.each([
    [{ oncePerReference: true }, "oncePerReference"],
    [{ oncePerReference: true, reference: "basket-7" }, "oncePerReference"],
    [{ oncePerReference: "yes", amountPence: 3420, reference: "basket-7" }, "oncePerReference"],
    [{ oncePerReference: true, amountPence: 3420 }, "reference"],
  ])("W10 %j is refused with the field that is wrong", async (body, field) => {
    const response = await api().mint(body);
    expect(response.status).toBe(422);
    expect(await read(response)).toMatchObject({ errors: [{ field }] });
  });

  test("W10 two tabs at two prices: whichever card is entered, the order is paid once", async () => {
    const order = newOrder();
    const [cheap, dear] = [await open(order), await open({ ...order, amountPence: 5000 })];
    const first = await cheap.start();
    const second = await dear.start();
    expect(await statusOf(first)).toBe("canceled");
    await Promise.all([stand.pay(first), stand.pay(second)]);
    await stand.settle();
    expect(await paidOf(order.reference)).toHaveLength(1);
    expect((await stand.news(second.paymentId)).map(({ type }) => type)).toEqual(["payment.paid"]);
    expect((await stand.news(first.paymentId)).map(({ type }) => type)).toEqual(["payment.failed"]);
    const refused = await cheap.ask();
    expect(refused.status).toBe(409);
    expect(await read(refused)).toMatchObject({ title: "Already paid" });
  });

  test("W10 two sessions that start, pay and start again at the same time take the money once", async () => {
    for (let round = 0; round < 4; round += 1) {
      const order = newOrder();
      const tabs = [await open(order), await open(order)];
      const payOnce = async ({ ask }: (typeof tabs)[number]) => {
        const response = await ask();
        if (response.status === 201) await stand.pay((await response.json()) as StartedPaymentAnswer);
      };
      await Promise.all([...tabs, ...tabs].map(payOnce));
      for (const tab of tabs) await payOnce(tab);
      await stand.settle();
      expect(await paidOf(order.reference)).toHaveLength(1);
    }
  });

  test("W10 S1 the database refuses a second payment of the order, whatever code writes it", async () => {
    const order = newOrder();
    const [first, second] = [await open(order), await open(order)];
    await first.start();
    const row = {
      ...{ id: crypto.randomUUID(), public_id: "B".repeat(22), partner_id: stand.partner.id },
      ...{ widget_session_id: second.sessionId, session_id: second.sessionId, session_reference: order.reference },
      ...{ idempotency_key: "long-enough", amount_pence: 3420, reference: order.reference, state: "created" },
      ...{ created_at: new Date(), changed_at: new Date() },
    };
    await expect(db.insertInto("payments").values(row).execute()).rejects.toThrow(
      /order that another payment has paid or can still pay/,
    );
  });
});

describe("W10 POST /api/partner/payments/:id/cancel", () => {
  test("W10 an unpaid payment is cancelled at the provider and announced, and a repetition says the same", async () => {
    const visitor = await stand.visitor();
    const payment = await visitor.start(900);
    const path = `payments/${payment.paymentId}/cancel`;
    const first = await api().post(path);
    expect(first.status).toBe(200);
    const answer = paymentAnswerSchema.strict().parse(await first.json());
    expect(answer).toMatchObject({ id: payment.paymentId, state: "cancelled", failureCode: null });
    expect(await statusOf(payment)).toBe("canceled");
    expect(await read(await api().post(path, "{}"))).toEqual(answer);
    expect((await stand.pay(payment)).body.error?.code).toBe("payment_intent_unexpected_state");
    await stand.settle();
    expect((await stand.news(payment.paymentId)).map(({ type, data }) => [type, data["failureCode"]])).toEqual([
      ["payment.failed", null],
    ]);
  });

  test("W10 a declined payment is cancelled, and a paid one is not: the answer leads to a refund", async () => {
    const visitor = await stand.visitor();
    const payment = await visitor.start(900);
    await stand.pay(payment, "4000000000009995");
    await stand.settle();
    expect((await api().post(`payments/${payment.paymentId}/cancel`)).status).toBe(200);
    const paid = await visitor.start(901);
    await stand.switches({ hold: true }); // paid, and nobody has told us
    await stand.pay(paid);
    const refused = await api().post(`payments/${paid.paymentId}/cancel`);
    await stand.switches({ hold: false });
    await stand.release("oldest first");
    expect(refused.status).toBe(409);
    expect(await read(refused)).toMatchObject({
      type: "already-paid",
      paymentId: paid.paymentId,
      detail: expect.stringContaining(`/payments/${paid.paymentId}/refunds`),
    });
  });

  test("W10 a payment that the provider is processing is answered with what to wait for", async () => {
    const payment = await (await stand.visitor()).start(900);
    const busy: CardProvider = {
      ...stand.provider,
      cancelPayment: async () => undefined,
      async findPayment(id) {
        const found = await stand.provider.findPayment(id);
        return found && { ...found, status: "processing" };
      },
    };
    const refused = await api(oneAccount(busy)).post(`payments/${payment.paymentId}/cancel`);
    expect(refused.status).toBe(409);
    expect(await read(refused)).toMatchObject({ type: "processing", detail: expect.stringContaining("payment.paid") });
  });

  test("W10 a payment that the provider has not cancelled yet is not said to be paid: the caller asks again", async () => {
    const visitor = await stand.visitor();
    const payment = await visitor.start(900);
    const slow: CardProvider = { ...stand.provider, cancelPayment: async () => undefined };
    const paths = [`payments/${payment.paymentId}/cancel`, `sessions/${visitor.sessionId}/expire`];
    for (const path of paths) {
      const open = await api(oneAccount(slow)).post(path);
      expect([open.status, open.headers.get("retry-after")], path).toEqual([503, "5"]);
      expect(await read(open)).toMatchObject({ detail: expect.stringContaining("not cancelled a payment yet") });
    }
    expect((await api().post(paths[0] ?? "")).status).toBe(200);
  });

  test("W10 while the provider is away nothing is cancelled, and the same key cancels later", async () => {
    const payment = await (await stand.visitor()).start(900);
    const path = `payments/${payment.paymentId}/cancel`;
    const key = { "idempotency-key": crypto.randomUUID() };
    const away = await api(oneAccount(down)).post(path, "", key);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await api({ live: null, test: null }).post(path)).status).toBe(503);
    expect((await api().post(path, "", key)).status).toBe(200);
    expect((await api().post(path, "", key)).headers.get("idempotency-replayed")).toBe("true");
  });

  test("W10 a payment whose start died before the provider had it is cancelled, and its key makes no other", async () => {
    const visitor = await stand.visitor();
    const body = { amountPence: 900, reference: "Basket 7", idempotencyKey: crypto.randomUUID() };
    expect((await visitor.post(body, stand.appWith(oneAccount(down)).app)).status).toBe(503);
    const { id, publicId } = await db
      .selectFrom("payments")
      .select(["id", "public_id as publicId"])
      .where("session_id", "=", visitor.sessionId)
      .executeTakeFirstOrThrow();
    const cancelled = await api().post(`payments/${publicId}/cancel`);
    expect(await read(cancelled)).toMatchObject({ state: "cancelled" });
    expect((await visitor.post(body)).status).toBe(410);
    const changes = await db
      .selectFrom("payment_changes")
      .select("state")
      .where("payment_id", "=", id)
      .orderBy("version")
      .execute();
    expect(changes.map(({ state }) => state)).toEqual(["created", "awaiting_payment", "cancelled"]);
  });

  test("W10 S1 another partner's key and another mode's see no such payment or session, and change nothing", async () => {
    const visitor = await stand.visitor();
    const payment = await visitor.start(900);
    const other = await makePartner(db, { name: "A third shop" });
    const testKey = (await addApiKey(db, { partnerId: stand.partner.id, mode: "test" })).key;
    for (const key of [other.key, testKey])
      for (const path of [`payments/${payment.paymentId}/cancel`, `sessions/${visitor.sessionId}/expire`])
        expect((await apiOf(key).post(path)).status, path).toBe(404);
    for (const path of ["payments/x/cancel", "sessions/x/expire", `sessions/${crypto.randomUUID()}/expire`])
      expect((await api().post(path)).status, path).toBe(404);
    expect(await visitor.stateOf(payment.paymentId)).toBe("awaiting_payment");
    expect((await api().post(`payments/${payment.paymentId}/cancel`, '{"why":"x"}')).status).toBe(422);
    expect((await api().server.get(`/api/partner/payments/${payment.paymentId}/cancel`)).status).toBe(405);
  });
});

describe("W10 POST /api/partner/sessions/:id/expire", () => {
  test("W10 an open frame is told that its session has ended, and its card form can't charge", async () => {
    const frame = await open({ amountPence: 3420, reference: "to-be-ended" });
    const payment = await frame.start();
    const response = await api().post(`sessions/${frame.sessionId}/expire`);
    expect(response.status).toBe(200);
    const answer = expiredSessionSchema.strict().parse(await response.json());
    expect(answer).toMatchObject({ sessionId: frame.sessionId, state: "expired" });
    expect(answer.payments).toMatchObject([{ id: payment.paymentId, state: "cancelled" }]);
    expect((await frame.ask()).status).toBe(401);
    expect((await stand.pay(payment)).body.error?.code).toBe("payment_intent_unexpected_state");
    expect(await read(await api().post(`sessions/${frame.sessionId}/expire`))).toEqual(answer);
  });

  test("W10 a token that opened nothing yet opens nothing any more, with the words of one that took too long", async () => {
    const partner = api();
    const { sessionId, token } = mintAnswerSchema.parse(await (await partner.mint({ reference: "unopened" })).json());
    expect(await read(await partner.post(`sessions/${sessionId}/expire`))).toEqual({
      ...{ sessionId, state: "expired", payments: [] },
    });
    const frame = await partner.server.get(partner.server.address("/pay", token));
    expect(frame.status).toBe(401);
    expect(await frame.text()).toContain("That took too long");
  });

  test("W10 what was paid stays paid, and the answer has it", async () => {
    const frame = await open({ amountPence: 3420, reference: "paid-and-ended" });
    const payment = await frame.start();
    await stand.pay(payment);
    await stand.settle();
    const answer = await read(await api().post(`sessions/${frame.sessionId}/expire`));
    expect(answer["payments"]).toMatchObject([{ id: payment.paymentId, state: "paid" }]);
  });

  test("W10 one payment that can't be cancelled keeps no other from it, and a refusal has an answer of its own", async () => {
    const visitor = await stand.visitor();
    const [first, second] = [await visitor.start(900), await visitor.start(901)];
    const refusing = (error: Error): CardProvider => ({
      ...stand.provider,
      async cancelPayment(request) {
        if (request.providerPaymentId === intentOf(first.clientSecret)) throw error;
        await stand.provider.cancelPayment(request);
      },
    });
    const refused = oneAccount(refusing(new CardProviderRefusalError("No permission.", null)));
    const path = `sessions/${visitor.sessionId}/expire`;
    const answer = await api(refused).post(path);
    expect(answer.status).toBe(500);
    expect(await read(answer)).toMatchObject({ title: "Not cancelled", detail: expect.stringContaining("refused") });
    expect(await statusOf(second)).toBe("canceled");
    expect((await api(refused).post(`payments/${first.paymentId}/cancel`)).status).toBe(500);
    const away = oneAccount(refusing(new CardProviderUnavailableError(null)));
    expect((await api(away).post(path)).status).toBe(503);
    const states = await read(await api().post(path));
    expect(states["payments"]).toMatchObject([{ state: "cancelled" }, { state: "cancelled" }]);
  });

  test("W10 a payment that begins while its session is ended gives its secret to nobody", async () => {
    const frame = await open({ amountPence: 3420, reference: "racing" });
    let ended: Response | null = null;
    const racing: CardProvider = {
      ...stand.provider,
      async createPayment(request) {
        const made = await stand.provider.createPayment(request);
        ended = await api().post(`sessions/${frame.sessionId}/expire`);
        return made;
      },
    };
    const { app } = stand.appWith(oneAccount(racing));
    const inFlight = await frame.askAt(app);
    expect(inFlight.status).toBe(410);
    expect(ended).toMatchObject({ status: 200 });
    const { data } = await stand.cards.stripe.paymentIntents.list({ limit: 1 });
    expect(data[0]?.status).toBe("canceled");
  });
});
