import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CardProviderRefusalError,
  CardProviderUnavailableError,
  type CardProvider,
} from "@farthing/core/payments/provider.ts";
import Stripe from "stripe";
import { cardKeys, newCard, startTestCards } from "../../../../sandbox/testing/start-test-cards.ts";
import { describe, expect, test } from "vitest";
import { cardProviderContract } from "../contract.testing.ts";
import { observeDispute } from "./observe-dispute.ts";
import { createStripeProvider } from "./stripe-provider.ts";

const numbers = { "good-card": "4242424242424242", "declined-card": "4000000000000002" };

cardProviderContract("Stripe", async () => {
  const stand = await startTestCards();
  const settings = { secretKey: cardKeys.secret, webhookSecret: cardKeys.webhookSecret };
  return {
    cards: createStripeProvider({ ...settings, apiUrl: stand.url }),
    unreachable: createStripeProvider({ ...settings, apiUrl: "http://127.0.0.1:1" }),
    async pay({ providerPaymentId, clientSecret }, how) {
      const fields = { client_secret: clientSecret, ...newCard(numbers[how]) };
      await stand.browser("POST", `payment_intents/${providerPaymentId}/confirm`, fields);
    },
    async answerAtBank(bankUrl, answer) {
      const body = new URLSearchParams({ answer });
      const sent = await fetch(bankUrl, { method: "POST", body, redirect: "manual" });
      return sent.headers.get("location") ?? "";
    },
    cancel: async (id) => void (await stand.stripe.paymentIntents.cancel(id)),
    payInEuros: async (payment) =>
      (await stand.stripe.paymentIntents.create({ amount: 1000, currency: "eur", metadata: { payment } })).id,
    refundElsewhere: async (id, amountPence) =>
      void (await stand.test.json("POST", "/control/cards/refunds", { payment_intent: id, amount: amountPence })),
    async failRefund(id) {
      const { data } = await stand.stripe.refunds.list({ payment_intent: id });
      await stand.test.json("POST", `/control/cards/refunds/${data[0]?.id}/fail`);
    },
    async dispute(id, step) {
      if (step === "open" || step === "inquire")
        return void (await stand.test.json("POST", "/control/cards/disputes", {
          ...{ payment_intent: id, inquiry: step === "inquire" },
        }));
      const { data } = await stand.stripe.disputes.list({ payment_intent: id });
      await stand.test.json("POST", `/control/cards/disputes/${data[0]?.id}/${step}`);
    },
    end: () => stand.end(),
  };
});

test("G4 a refund that an earlier version has sent without our name is sent again as it was, and made once", async () => {
  const stand = await startTestCards();
  try {
    const cards = createStripeProvider({
      ...{ secretKey: cardKeys.secret, webhookSecret: cardKeys.webhookSecret, apiUrl: stand.url },
    });
    const { id } = await stand.stripe.paymentIntents.create({
      ...{
        amount: 1000,
        currency: "gbp",
        confirm: true,
        payment_method: "pm_card_visa",
        return_url: "https://a.example/",
      },
    });
    await stand.stripe.refunds.create({ payment_intent: id, amount: 400 }, { idempotencyKey: "refund:1" });
    await cards.refund({ key: "refund:1", refundId: "1", providerPaymentId: id, amountPence: 400 });
    expect(await cards.findPayment(id)).toMatchObject({ refundedPence: 400 });
    // Another amount under the key is still refused.
    const other = cards.refund({ key: "refund:1", refundId: "1", providerPaymentId: id, amountPence: 401 });
    await expect(other).rejects.toThrow("Stripe refused a call");
  } finally {
    await stand.end();
  }
});

describe("G3 what Stripe answers instead of doing what was asked", () => {
  const refund = { key: "refund:1", refundId: "1", providerPaymentId: "pi_1", amountPence: 400 };

  /** Calls a Stripe that gives every request the same answer. */
  async function answering<T>(status: number, error: object, call: (cards: CardProvider) => Promise<T>): Promise<T> {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const settings = { secretKey: cardKeys.secret, webhookSecret: cardKeys.webhookSecret };
      return await call(createStripeProvider({ ...settings, apiUrl: `http://127.0.0.1:${port}` }));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test.each([
    [
      "a call with the same key that still runs",
      409,
      { type: "invalid_request_error", code: "idempotency_key_in_use" },
    ],
    ["an object that another call holds", 409, { type: "invalid_request_error", code: "lock_timeout" }],
    ["too many calls", 429, { type: "invalid_request_error", code: "rate_limit" }],
    ["a fault of Stripe's", 500, { type: "api_error" }],
    ["a Stripe that is down", 503, { type: "api_error" }],
  ])("G3 %s (%d) is “unavailable”: the same refund is sent again later", async (_, status, error) => {
    await answering(status, error, async (cards) => {
      await expect(cards.refund(refund)).rejects.toThrow(CardProviderUnavailableError);
      await expect(cards.findPayment("pi_1")).rejects.toThrow(CardProviderUnavailableError);
    });
  });

  test.each([
    ["a refund that is not possible", 400, { type: "invalid_request_error", code: "charge_disputed" }],
    ["a declined card", 402, { type: "card_error", code: "card_declined" }],
  ])("G3 %s (%d) is a refusal: it is not sent again", async (_, status, error) => {
    await answering(status, error, async (cards) => {
      await expect(cards.refund(refund)).rejects.toThrow(CardProviderRefusalError);
    });
  });

  test.each([
    ["a key that is not valid any more", 401],
    ["what the account may not do", 403],
  ])("G3 %s (%d) is no refusal of a refund, which may be made already; a payment is refused", async (_, status) => {
    await answering(status, { type: "invalid_request_error" }, async (cards) => {
      await expect(cards.refund(refund)).rejects.toThrow(CardProviderUnavailableError);
      const { key, providerPaymentId: paymentId, amountPence } = refund;
      const payment = { key, paymentId, amountPence, customerId: "cus_1", description: "Shop" };
      await expect(cards.createPayment(payment)).rejects.toThrow(CardProviderRefusalError);
    });
  });
});

test.each([
  ["warning_needs_response", "inquiry"],
  ["warning_under_review", "inquiry"],
  ["warning_closed", "closed"],
  ["prevented", "closed"],
  ["needs_response", "needs_response"],
  ["appeal_needs_response", "needs_response"],
  ["under_review", "under_review"],
  ["appeal_under_review", "under_review"],
  ["won", "won"],
  ["lost", "lost"],
  ["a status of next year", "needs_response"],
])("G3 Stripe's dispute that is %s is %s", (status, state) => {
  const evidence_details = { due_by: null, has_evidence: false, submission_count: 0 };
  const dispute = {
    id: "du_1",
    currency: "gbp",
    amount: 1,
    created: 0,
    reason: "general",
    balance_transactions: [],
    evidence_details,
  };
  expect(observeDispute({ ...dispute, status } as never)).toMatchObject({ state, evidenceDueAt: null });
  expect(observeDispute({ ...dispute, status, currency: "eur" } as never)).toBeNull();
});

test.each([
  { moved: [-1000], state: "lost", withdrawnPence: 1000 },
  { moved: [-1000, 1000], state: "won", withdrawnPence: 0 },
  { moved: [], state: "closed", withdrawnPence: 0 },
])(
  "G3 a dispute that the card network settled before it began is what its money says: %j",
  ({ moved, ...expected }) => {
    const dispute = {
      ...{ id: "du_1", currency: "gbp", amount: 1000, created: 0, reason: "general", status: "prevented" },
      balance_transactions: moved.map((amount) => ({ amount, fee: 0 })),
      evidence_details: { due_by: null, has_evidence: false, submission_count: 0 },
    };
    expect(observeDispute(dispute as never)).toMatchObject(expected);
  },
);

describe("G3 Stripe's webhooks", () => {
  const now = new Date("2026-11-20T10:00:00Z");
  const provider = createStripeProvider({
    secretKey: cardKeys.secret,
    webhookSecret: cardKeys.webhookSecret,
    apiUrl: "http://127.0.0.1:1",
  });
  const read = (object: object) =>
    readBody(JSON.stringify({ id: "evt_1", object: "event", type: "some.thing", data: { object } }));
  const readBody = (body: string) => {
    const timestamp = Math.floor(now.getTime() / 1000);
    const signature = new Stripe(cardKeys.secret).webhooks.generateTestHeaderString({
      payload: body,
      secret: cardKeys.webhookSecret,
      timestamp,
    });
    const outcome = provider.readWebhook({ body, signature, now });
    return outcome.outcome === "read" ? outcome.event.providerPaymentId : outcome.why;
  };

  test.each([
    ...["", "t", "t=", "t=1", "v1=", "t=1,v1=", "t=1,v1=,v1=", "t=,v1=", "t=1,v0=ab", "t=NaN,v1=ab", "t=1e400,v1=zz"],
    ...["t=-1,v1=a", "t=1,v1=\u0000", `t=1795168800,v1=${"a".repeat(64)}`, `t=1795168800,v1=${"é".repeat(64)}`],
    ...["t=1795168800,v1=", "t=1795168800,v1", `${"t=1,".repeat(2000)}v1=a`, "{}", "=,=,="],
  ])("G3 S2 the signature %j is refused, not an error", (signature) => {
    expect(provider.readWebhook({ body: "{}", signature, now })).toMatchObject({ outcome: "refused" });
  });

  test.each(["{", "null", "1", "[]", "{}", '{"data":null}', '{"data":{"object":"x"}}'])(
    "G3 S2 the signed body %j is refused as no event",
    (body) => {
      expect(readBody(body)).toBe("The body is no event.");
    },
  );

  test("G3 events about intents, charges and refunds name their payment, and other events none", () => {
    expect(read({ object: "payment_intent", id: "pi_1" })).toBe("pi_1");
    expect(read({ object: "charge", id: "ch_1", payment_intent: "pi_1" })).toBe("pi_1");
    expect(read({ object: "refund", id: "re_1", payment_intent: "pi_1" })).toBe("pi_1");
    expect(read({ object: "dispute", id: "du_1", payment_intent: "pi_1" })).toBe("pi_1");
    expect(read({ object: "dispute", id: "du_1", payment_intent: null })).toBeNull();
    expect(read({ object: "charge", id: "ch_1", payment_intent: null })).toBeNull();
    expect(read({ object: "customer", id: "cus_1" })).toBeNull();
  });
});
