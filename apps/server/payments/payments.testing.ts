import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { addWebhook } from "@farthing/core/partners/webhooks.server.ts";
import { openWidgetSession, type NewWidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { checkPayments } from "@farthing/core/payments/check.server.ts";
import type { CardProvider } from "@farthing/core/payments/provider.ts";
import type { StartedPaymentAnswer } from "@farthing/core/payments/schema.ts";
import type { Db } from "@farthing/db/client.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { getRequestListener } from "@hono/node-server";
import { afterAll, afterEach, expect } from "vitest";
import { cardKeys, newCard, startTestCards } from "../../../sandbox/testing/start-test-cards.ts";
import { htmlPage, testApp } from "../app.testing.ts";
import { widgetSessions } from "../partners/widget-sessions.ts";
import { stripeWebhooks } from "./stripe-webhooks.ts";
import { paymentsApi } from "./payment-routes.ts";

const brand = { id: "one", slug: "one", name: "One" } as Brand;

/**
 * Starts the payments API and the webhook on a real port, and the simulated card provider, which sends its
 * webhooks there.
 */
export async function startPayments(db: Db) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cards = await startTestCards({ cards: { ...cardKeys, webhookUrl: `${url}/webhooks/stripe` } });
  const provider = createStripeProvider({
    secretKey: cardKeys.secret,
    webhookSecret: cardKeys.webhookSecret,
    apiUrl: cards.url,
  });
  const now = () => new Date();
  const sessions = widgetSessions({ db, publicScheme: "http", now });
  /** Returns the app with this provider, and the lines that it logs. */
  const appWith = (by: CardAccounts) => {
    const config = { publicScheme: "http", trustProxy: false, metricsToken: null } as const;
    const { logger, lines } = testApp([brand], async (_, visit) => htmlPage("page", visit));
    const { app } = testApp([brand], async (_, visit) => htmlPage("page", visit), {
      config,
      logger,
      apiRoutes: [paymentsApi({ db, cards: by, sessions, config, logger, now })],
      webhookRoutes: stripeWebhooks({ db, cards: by, logger, now }),
    });
    return { app, lines };
  };
  const { app, lines } = appWith(oneAccount(provider));
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  server.on("request", (request, response) => void listener(request, response));

  const partner = await makePartner(db, { mintsPerMinute: 1_000_000 });
  await addWebhook(db, { partnerId: partner.id, url: "https://shop.example/hooks", allowLocal: false });
  /** Returns the requests of a visitor, as the page in the frame sends them. */
  const visitor = async (session: Partial<NewWidgetSession> = {}) => {
    const { id: sessionId, bearer } = await openWidgetSession(db, {
      partnerId: partner.id,
      origin: partner.origin,
      reference: null,
      now: now(),
      ...session,
    });
    const headers = { host: "one.test", authorization: `Bearer ${bearer}` };
    return {
      sessionId,
      post: async (body: unknown, to = app) =>
        to.request("http://one.test/api/payments", {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      get: async (id: string) => app.request(`http://one.test/api/payments/${id}`, { headers }),
      /** Starts a payment and returns the answer. */
      async start(
        amountPence = 1234,
        idempotencyKey: string = crypto.randomUUID(),
        reference = "Basket 7",
      ): Promise<StartedPaymentAnswer> {
        const response = await this.post({ amountPence, reference, idempotencyKey });
        if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
        return (await response.json()) as StartedPaymentAnswer;
      },
      async stateOf(id: string): Promise<string> {
        return ((await (await this.get(id)).json()) as { state: string }).state;
      },
    };
  };
  /** Pays with a card, as the payer does. Webhooks follow, at the latest with `settle`. */
  const pay = ({ clientSecret }: StartedPaymentAnswer, card = "4242424242424242") =>
    cards.browser("POST", `payment_intents/${intentOf(clientSecret)}/confirm`, {
      client_secret: clientSecret,
      ...newCard(card),
    });
  const switches = (body: Record<string, unknown>) => cards.test.json("PUT", "/control/cards/switches", body);
  const release = (order: string) => cards.test.json("POST", "/control/cards/webhooks/release", { order });
  /** Sends a webhook of the test's making, by default with a valid, current signature. */
  const deliver = async (
    event: object,
    { secret = cardKeys.webhookSecret, age = 0, body = JSON.stringify(event), to = app } = {},
  ) => {
    const timestamp = Math.floor(Date.now() / 1000) - age;
    const signature = cards.stripe.webhooks.generateTestHeaderString({
      payload: JSON.stringify(event),
      secret,
      timestamp,
    });
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    return to.request("http://one.test/webhooks/stripe", { method: "POST", headers, body });
  };
  /** Returns the events for the partner, in order. */
  const news = async (paymentId: string) => {
    const rows = await db
      .selectFrom("partner_webhook_deliveries")
      .select("body")
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows
      .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
      .filter(({ data }) => data["paymentId"] === paymentId);
  };
  const end = async () => {
    await cards.end();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  return {
    partner,
    cards,
    provider,
    app,
    appWith,
    lines,
    visitor,
    pay,
    switches,
    release,
    deliver,
    news,
    end,
    settle: cards.settle,
  };
}

/** Returns the provider's payment id in a client secret. */
export function intentOf(clientSecret: string): string {
  return clientSecret.split("_secret_")[0] ?? "";
}

/** Returns one account for both modes, as a deployment has that takes no money. */
export function oneAccount(cards: CardProvider): CardAccounts {
  return { live: cards, test: cards };
}

/** Returns payments as above whose books are checked after each test of the file, whatever happened in it. */
export async function startCheckedPayments(db: Db) {
  const stand = await startPayments(db);
  afterEach(async () => {
    await stand.settle();
    expect((await checkLedger(db)).faults).toEqual([]);
    expect(await checkPayments(db)).toEqual([]);
  });
  afterAll(() => stand.end());
  return stand;
}
