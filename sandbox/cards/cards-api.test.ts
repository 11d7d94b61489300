import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newCard, questionAddress, startTestCards, type TestCards } from "../testing/start-test-cards.ts";

let cards: TestCards;
let stripe: Stripe;
beforeAll(async () => {
  cards = await startTestCards({ retryWaits: [1, 1, 1] });
  stripe = cards.stripe;
});
afterAll(() => cards.end());
beforeEach(async () => {
  await cards.settle();
  await cards.test.json("POST", "/control/cards/reset");
  cards.events.length = 0;
  cards.raw.length = 0;
  cards.answer(200);
});

const create = (more: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({
    amount: 2500,
    currency: "gbp",
    automatic_payment_methods: { enabled: true },
    metadata: { order: "7" },
    ...more,
  });
const confirm = (intent: Stripe.PaymentIntent, fields: Record<string, string>) =>
  cards.browser("POST", `payment_intents/${intent.id}/confirm`, {
    client_secret: String(intent.client_secret),
    ...fields,
  });
const answerAt = async (address: string, answer: "yes" | "no"): Promise<Response> =>
  fetch(address, { method: "POST", redirect: "manual", body: new URLSearchParams({ answer }) });
const types = async (): Promise<string[]> => {
  await cards.settle();
  return cards.events.map((event) => event.type);
};

describe("G3 paying with the SDK against the sandbox", () => {
  test("G3 a card succeeds: intent, charge and signed webhooks agree", async () => {
    const intent = await create();
    expect(intent).toMatchObject({ status: "requires_payment_method", payment_method_types: ["card", "pay_by_bank"] });
    const { body } = await confirm(intent, newCard("4242424242424242"));
    expect(body).toMatchObject({ status: "succeeded", amount_received: 2500 });
    const after = await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge", "payment_method"] });
    expect(after).toMatchObject({
      status: "succeeded",
      latest_charge: { paid: true, amount_captured: 2500 },
      payment_method: { card: { last4: "4242", brand: "visa" } },
      metadata: { order: "7" },
    });
    expect(await types()).toEqual(["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"]);
  });

  test.each([
    ["4000000000000002", "card_declined", "generic_decline", "Your card was declined."],
    ["4000000000009995", "card_declined", "insufficient_funds", "Your card has insufficient funds."],
    ["4000000000009987", "card_declined", "lost_card", "Your card was declined."],
    ["4000000000009979", "card_declined", "stolen_card", "Your card was declined."],
    ["4000000000000069", "expired_card", undefined, "Your card has expired."],
    ["4000000000000127", "incorrect_cvc", undefined, "Your card's security code is incorrect."],
    [
      "4000000000000119",
      "processing_error",
      undefined,
      "An error occurred while processing your card. Try again in a little bit.",
    ],
  ])("G3 %s is refused with %s / %s, and the intent can be tried again", async (number, code, declineCode, message) => {
    const intent = await create();
    const { status, body } = await confirm(intent, newCard(number));
    expect(status).toBe(402);
    expect(body.error).toMatchObject({
      type: "card_error",
      code,
      message,
      payment_intent: { status: "requires_payment_method" },
    });
    expect(body.error?.decline_code).toBe(declineCode);
    expect((await stripe.paymentIntents.retrieve(intent.id)).last_payment_error).toMatchObject({ code, message });
    expect((await confirm(intent, newCard("4242424242424242"))).body).toMatchObject({
      status: "succeeded",
      last_payment_error: null,
    });
    expect(await types()).toEqual([
      "payment_intent.created",
      "charge.failed",
      "payment_intent.payment_failed",
      "charge.succeeded",
      "payment_intent.succeeded",
    ]);
  });

  test("G3 a number that is not a test card is refused as a live card", async () => {
    expect((await confirm(await create(), newCard("4929420573595709"))).body.error).toMatchObject({
      code: "card_declined",
      decline_code: "test_mode_live_card",
    });
  });

  test.each([
    ["incorrect_number", { "payment_method_data[card][number]": "4242424242424241" }],
    ["invalid_expiry_month", { "payment_method_data[card][exp_month]": "13" }],
    ["invalid_expiry_year", { "payment_method_data[card][exp_year]": "20" }],
    ["invalid_cvc", { "payment_method_data[card][cvc]": "1" }],
  ])("G3 a card that can't be right is refused with %s", async (code, fields) => {
    expect((await confirm(await create(), newCard("4242424242424242", fields))).body.error).toMatchObject({
      type: "card_error",
      code,
    });
  });

  test.each(["4000000000003220", "4000002500003155"])("G3 %s asks for a challenge; passing it pays", async (number) => {
    const intent = await create();
    const { body } = await confirm(intent, newCard(number));
    expect(body).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
    const page = questionAddress(body);
    expect(await (await fetch(page)).text()).toContain("£25.00");
    await answerAt(page, "yes");
    const after = await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] });
    expect(after).toMatchObject({
      status: "succeeded",
      latest_charge: { payment_method_details: { card: { three_d_secure: { result: "authenticated" } } } },
    });
    expect(await types()).toEqual([
      "payment_intent.created",
      "payment_intent.requires_action",
      "charge.succeeded",
      "payment_intent.succeeded",
    ]);
  });

  test("G3 failing the challenge declines the payment", async () => {
    const intent = await create();
    const { body } = await confirm(intent, newCard("4000000000003220"));
    await answerAt(questionAddress(body), "no");
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "payment_intent_authentication_failure" },
    });
  });

  test("G3 4000008400001629 passes the challenge and is declined after it", async () => {
    const intent = await create();
    const { body } = await confirm(intent, newCard("4000008400001629"));
    await answerAt(questionAddress(body), "yes");
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined" },
    });
  });

  test.each([
    ["yes", "succeeded", "succeeded"],
    ["no", "failed", "requires_payment_method"],
  ] as const)(
    "G3 paying by bank and answering %s comes back with redirect_status %s",
    async (answer, outcome, status) => {
      const intent = await create();
      const { body } = await confirm(intent, {
        "payment_method_data[type]": "pay_by_bank",
        return_url: "https://shop.example/back?basket=3",
        use_stripe_sdk: "true",
      });
      const url = questionAddress(body);
      const back = new URL((await answerAt(url, answer)).headers.get("location") ?? "");
      expect(back.origin + back.pathname).toBe("https://shop.example/back");
      expect(Object.fromEntries(back.searchParams)).toEqual({
        basket: "3",
        payment_intent: intent.id,
        payment_intent_client_secret: intent.client_secret,
        redirect_status: outcome,
      });
      expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(status);
    },
  );

  test("S1 a challenge can't be answered without its secret, nor a second time with another outcome", async () => {
    const intent = await create();
    const { body } = await confirm(intent, newCard("4000000000003220"));
    const page = new URL(questionAddress(body));
    const forged = new URL(page);
    forged.searchParams.set("token", "guess");
    expect((await answerAt(forged.href, "yes")).status).toBe(404);
    await answerAt(page.href, "no");
    await answerAt(page.href, "yes");
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe("requires_payment_method");
  });

  test("G3 server-side: confirm at once, capture later, cancel", async () => {
    const paid = await create({ confirm: true, payment_method: "pm_card_visa", return_url: "https://shop.example/" });
    expect(paid.status).toBe("succeeded");
    await expect(
      create({ confirm: true, payment_method: "pm_card_chargeDeclined", return_url: "https://shop.example/" }),
    ).rejects.toMatchObject({ type: "StripeCardError", code: "card_declined" });
    const held = await create({
      confirm: true,
      capture_method: "manual",
      payment_method: "pm_card_visa",
      return_url: "https://shop.example/",
    });
    expect(held).toMatchObject({ status: "requires_capture", amount_capturable: 2500, amount_received: 0 });
    expect(await stripe.paymentIntents.capture(held.id, { amount_to_capture: 2000 })).toMatchObject({
      status: "succeeded",
      amount_received: 2000,
    });
    expect(await stripe.paymentIntents.cancel((await create()).id)).toMatchObject({ status: "canceled" });
    await expect(stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject({
      code: "payment_intent_unexpected_state",
    });
  });

  test("G4 refunds: in parts, never more than was taken", async () => {
    const paid = await create({ confirm: true, payment_method: "pm_card_visa", return_url: "https://shop.example/" });
    expect(await stripe.refunds.create({ payment_intent: paid.id, amount: 1000 })).toMatchObject({
      status: "succeeded",
      amount: 1000,
    });
    await expect(stripe.refunds.create({ payment_intent: paid.id, amount: 1501 })).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
    });
    await stripe.refunds.create({ payment_intent: paid.id });
    await expect(stripe.refunds.create({ payment_intent: paid.id })).rejects.toMatchObject({
      code: "charge_already_refunded",
    });
    expect(await stripe.charges.retrieve(String(paid.latest_charge))).toMatchObject({
      refunded: true,
      amount_refunded: 2500,
    });
    expect((await types()).filter((type) => type === "charge.refunded")).toHaveLength(2);
  });

  test("G3 a customer session offers a saved card, which can pay", async () => {
    const customer = await stripe.customers.create({ email: "ada@example.org" });
    const features = {
      payment_method_redisplay: "enabled",
      payment_method_save: "enabled",
      payment_method_remove: "enabled",
    } as const;
    const session = await stripe.customerSessions.create({
      customer: customer.id,
      components: { payment_element: { enabled: true, features } },
    });
    const first = await create({ customer: customer.id });
    await confirm(first, newCard("4242424242424242", { setup_future_usage: "off_session" }));
    const second = await create({ customer: customer.id });
    const drawn = await cards.browser("POST", "elements/sessions", {
      client_secret: String(second.client_secret),
      customer_session_client_secret: session.client_secret,
    });
    const saved = drawn.body.saved ?? [];
    expect(saved).toMatchObject([{ last4: "4242" }]);
    expect(
      (await confirm(second, { payment_method: String(saved[0]?.id), use_stripe_sdk: "true" })).body,
    ).toMatchObject({ status: "succeeded" });
    const key = await stripe.ephemeralKeys.create({ customer: customer.id }, { apiVersion: "2026-10-28.endive" });
    const older = await cards.browser("POST", "elements/sessions", {
      client_secret: String(second.client_secret),
      customer: customer.id,
      ephemeral_key: String(key.secret),
    });
    expect(older.body.saved).toHaveLength(1);
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
    await cards.browser("POST", `payment_methods/${saved[0]?.id}/detach`, {
      customer_session_client_secret: session.client_secret,
    });
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(0);
  });

  test("S1 another customer's saved card can't pay", async () => {
    const [ada, eve] = [await stripe.customers.create({}), await stripe.customers.create({})];
    const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: ada.id });
    const { body } = await confirm(await create({ customer: eve.id }), {
      payment_method: method.id,
      use_stripe_sdk: "true",
    });
    expect(body.error).toMatchObject({ type: "invalid_request_error" });
  });
});

describe("G3 the provider's conventions", () => {
  test("G3 the same idempotency key acts once and returns the same response; with other parameters it is refused", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => stripe.paymentIntents.create({ amount: 900, currency: "gbp" }, { idempotencyKey: "order-9" })),
    );
    expect(two?.id).toBe(one?.id);
    expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
    await expect(
      stripe.paymentIntents.create({ amount: 901, currency: "gbp" }, { idempotencyKey: "order-9" }),
    ).rejects.toMatchObject({ type: "StripeIdempotencyError" });
  });

  test("G3 the same idempotency key repeats a decline without another attempt", async () => {
    const pay = () =>
      stripe.paymentIntents.create(
        {
          amount: 900,
          currency: "gbp",
          confirm: true,
          payment_method: "pm_card_chargeDeclined",
          return_url: "https://shop.example/",
        },
        { idempotencyKey: "decline-1" },
      );
    await expect(pay()).rejects.toMatchObject({ code: "card_declined" });
    await expect(pay()).rejects.toMatchObject({ code: "card_declined" });
    expect((await stripe.charges.list({})).data).toHaveLength(1);
  });

  test("G3 invalid requests get the SDK's errors", async () => {
    await expect(stripe.paymentIntents.retrieve("pi_none")).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
      code: "resource_missing",
      statusCode: 404,
    });
    await expect(stripe.paymentIntents.create({ amount: 10, currency: "gbp" })).rejects.toMatchObject({
      code: "amount_too_small",
    });
    await expect(stripe.paymentIntents.create({ amount: 10.5, currency: "gbp" })).rejects.toMatchObject({
      code: "parameter_invalid_integer",
    });
    const stranger = new Stripe("sk_test_other", {
      host: "127.0.0.1",
      port: Number(new URL(cards.url).port),
      protocol: "http",
    });
    await expect(stranger.customers.list()).rejects.toMatchObject({ type: "StripeAuthenticationError" });
  });

  test("S1 a browser reads and confirms only objects whose secret it has", async () => {
    const intent = await create();
    expect(
      (await cards.browser("GET", `payment_intents/${intent.id}`, { client_secret: "pi_x_secret_y" })).status,
    ).toBe(400);
    expect((await confirm({ ...intent, client_secret: "guess" }, newCard("4242424242424242"))).status).toBe(400);
    expect((await cards.browser("POST", "refunds", { payment_intent: intent.id })).status).toBe(403);
    expect(
      (await cards.browser("GET", `payment_intents/${intent.id}`, { client_secret: String(intent.client_secret) }))
        .status,
    ).toBe(200);
  });

  test("G3 lists page by cursor, as the SDK's iterator expects", async () => {
    for (let count = 0; count < 25; count++) await create({ amount: 100 + count });
    const seen: number[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 10 })) seen.push(intent.amount);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 124 - index));
  });

  test("G4 webhooks are retried until they succeed, with a new signature each time", async () => {
    cards.answer(500);
    await create();
    await expect.poll(() => cards.raw.length).toBe(4);
    expect(new Set(cards.raw.map(({ body }) => body)).size).toBe(1);
    expect(cards.events).toEqual([]);
  });

  test("G4 webhooks can be held, doubled and released in reverse order", async () => {
    await cards.test.json("PUT", "/control/cards/switches", { hold: true, sendTwice: true });
    const intent = await create();
    await confirm(intent, newCard("4242424242424242"));
    expect(await types()).toEqual([]);
    await cards.test.json("POST", "/control/cards/webhooks/release", { order: "newest first" });
    expect(await types()).toEqual([
      "payment_intent.succeeded",
      "payment_intent.succeeded",
      "charge.succeeded",
      "charge.succeeded",
      "payment_intent.created",
      "payment_intent.created",
    ]);
    expect(new Set(cards.events.map((event) => event.id)).size).toBe(3);
  });

  test("S1 a webhook signed with another secret does not pass the SDK's check", async () => {
    await create();
    await cards.settle();
    const [sent] = cards.raw;
    expect(() => stripe.webhooks.constructEvent(String(sent?.body), String(sent?.signature), "whsec_other")).toThrow(
      /signature/,
    );
  });

  test("Z1 the console shows payments and webhooks", async () => {
    const intent = await create();
    await confirm(intent, newCard("4000000000009995"));
    await cards.settle();
    const page = await (await cards.test.call("/cards")).text();
    for (const words of [intent.id, "Your card has insufficient funds.", "payment_intent.payment_failed", "order: 7"])
      expect(page).toContain(words);
    expect(page).not.toMatch(/<script|style=/);
  });

  test("G3 the console's forms refund, dispute and decide, and say why when they can't", async () => {
    const { id } = await cards.stripe.paymentIntents.create({
      ...{
        amount: 2500,
        currency: "gbp",
        confirm: true,
        payment_method: "pm_card_visa",
        return_url: "https://a.example/",
      },
    });
    const post = async (path: string, fields: Record<string, string> = {}) => {
      const answer = await cards.test.call(path, { method: "POST", body: new URLSearchParams(fields) });
      return decodeURIComponent(answer.headers.get("location") ?? "");
    };
    expect(await post("/cards/disputes", { payment_intent: id, kind: "inquiry" })).toMatch(/done=du_\w+ is open\./);
    const [dispute] = (await cards.stripe.disputes.list({ payment_intent: id })).data;
    const step = (name: string) => post(`/cards/disputes/${dispute?.id}/${name}`);
    expect(await step("win")).toContain("A dispute that is warning_needs_response can't win.");
    expect(await step("escalate")).toContain("The dispute is needs response.");
    expect(await post("/cards/refunds", { payment_intent: id })).toContain(
      "has been charged back; cannot issue a refund.",
    );
    expect(await step("win")).toContain("The dispute is won.");
    expect(await post("/cards/refunds", { payment_intent: id })).toContain("£25.00 refunded in the dashboard.");
    expect(await (await cards.test.call("/cards")).text()).toContain(dispute?.id);
  });

  test("G3 other sites can load the browser's script, and frame its form", async () => {
    for (const path of ["/cards/v3/", "/cards/v3/stripe.js", "/cards/endive/stripe.js"]) {
      expect((await cards.test.call(path)).headers.get("content-type")).toContain("javascript");
    }
    const form = await cards.test.call("/cards/frames/payment-form");
    expect(form.headers.get("content-security-policy")).toContain("frame-ancestors *");
    expect(form.headers.get("content-security-policy")).toContain("script-src 'self'");
  });
});
