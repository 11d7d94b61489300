import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLedger } from "../ledger/check.server.ts";
import { checkPayments } from "./check.server.ts";
import { begun, openTill } from "./payments.testing.ts";
import { readPayment } from "./read-payment.server.ts";
import { CardProviderRefusalError, CardProviderUnavailableError, type CardProvider } from "./provider.ts";
import { refundPayment } from "./refund-payment.server.ts";
import { MAX_RUNNING_REFUNDS, REFUND_KEY_MS, REFUND_LATEST_MS, REPEATED_REFUND_MS } from "./refund-rules.ts";

const { db } = await testDatabase();
const till = await openTill(db);
/** Every call to the provider, by its name. */
let calls: string[] = [];
/** What the provider does instead of refunding. */
let failing: ((key: string) => Error | null) | null = null;
/** Whether the provider refunds and its answer is lost. */
let losesAnswers = false;
/** What the provider does instead of listing refunds. */
let hiding: (() => Error) | null = null;
/** Keys that the provider has refused: it gives the same answer to the same key. */
const refused = new Map<string, Error>();

const refund: CardProvider["refund"] = async (request) => {
  const error = refused.get(request.key) ?? failing?.(request.key) ?? null;
  if (error instanceof CardProviderRefusalError) refused.set(request.key, error);
  if (error) throw error;
  await till.cards.provider.refund(request);
  if (losesAnswers) throw new CardProviderUnavailableError("no answer");
};
const findRefunds: CardProvider["findRefunds"] = async (id) => {
  if (hiding) throw hiding();
  return till.cards.provider.findRefunds(id);
};
const provider = new Proxy<CardProvider>(
  { ...till.cards.provider, refund, findRefunds },
  {
    get(target, name: keyof CardProvider) {
      calls.push(name);
      return target[name];
    },
  },
);
const accounts = { live: provider, test: null };

beforeEach(() => {
  calls = [];
  failing = null;
  losesAnswers = false;
  hiding = null;
});
afterEach(async () => {
  expect([...(await checkLedger(db)).faults, ...(await checkPayments(db))]).toEqual([]);
});

/** A payment of £10.00 that was made. */
async function paid() {
  const started = begun(await (await till.visit()).start());
  await till.pay(started);
  const { publicId, providerPaymentId } = started;
  return {
    ask: (requestKey: string, amountPence: number | null = 100) =>
      refundPayment(db, accounts, { publicId, amountPence, requestKey, now: till.now() }),
    /** As a command does, which has no key. */
    command: (amountPence: number | null, more: { isAnother?: true } = {}) =>
      refundPayment(db, accounts, { publicId, amountPence, ...more, now: till.now() }),
    /** What the webhook of a refund leads to. */
    hear: () => readPayment(db, till.cards.provider, { providerPaymentId, about: "refund", now: till.now() }),
    /** The payer's bank disputes a part, or decides; the webhook follows. This provider refunds the rest meanwhile. */
    async dispute(state: "needs_response" | "won", amountPence: number) {
      till.cards.dispute(providerPaymentId, state);
      const dispute = till.cards.disputes.get(providerPaymentId);
      const withdrawnPence = state === "won" ? 0 : amountPence;
      if (dispute) Object.assign(dispute, { amountPence, withdrawnPence });
      await readPayment(db, till.cards.provider, { providerPaymentId, about: "dispute", now: till.now() });
      till.cards.disputes.delete(providerPaymentId);
    },
    refundedPence: () => till.cards.payments.get(providerPaymentId)?.refundedPence,
  };
}

test("G3 a refund that is done is “refunded” however late it is asked for again, and the provider is not called", async () => {
  const payment = await paid();
  expect(await payment.ask("a")).toMatchObject({ outcome: "refunded", refund: { amountPence: 100 } });
  for (const laterMs of [1, REFUND_KEY_MS - 1, 1, REFUND_KEY_MS]) {
    till.clock.at += laterMs;
    calls = [];
    expect(await payment.ask("a")).toMatchObject({ outcome: "refunded", payment: { refundedPence: 100 } });
    expect(calls).toEqual([]);
  }
  expect(payment.refundedPence()).toBe(100);
});

test("G3 a refund without an answer is unsure once the provider may have forgotten its key, and is not sent again", async () => {
  const payment = await paid();
  failing = () => new CardProviderUnavailableError("no answer");
  await expect(payment.ask("a")).rejects.toThrow(CardProviderUnavailableError);
  failing = null;
  till.clock.at += REFUND_KEY_MS + 1;
  calls = [];
  expect(await payment.ask("a")).toMatchObject({ outcome: "unsure", refund: { amountPence: 100 } });
  expect(calls).toEqual(["findRefunds"]);
  expect(payment.refundedPence()).toBe(0);
});

test("G3 an unsure refund that never reached the provider is refused after a day, and leaves the payment free again", async () => {
  const payment = await paid();
  failing = () => new CardProviderUnavailableError("no answer");
  await expect(payment.ask("a", 600)).rejects.toThrow(CardProviderUnavailableError);
  failing = null;
  till.clock.at += REFUND_LATEST_MS - 1;
  expect(await payment.ask("a", 600)).toMatchObject({ outcome: "unsure" });
  expect(await payment.ask("b", 500), "its pounds are reserved").toMatchObject({ outcome: "refunds-running" });
  till.clock.at += 1;
  hiding = () => new CardProviderUnavailableError("no answer");
  await expect(payment.ask("a", 600), "nobody can look").rejects.toThrow(CardProviderUnavailableError);
  hiding = null;
  calls = [];
  const why = "It never reached the card provider.";
  expect(await payment.ask("a", 600)).toMatchObject({ outcome: "refused", why, payment: { refundedPence: 0 } });
  expect(calls).not.toContain("refund");
  expect(await payment.ask("b", 1_000)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 1_000 } });
  expect(payment.refundedPence()).toBe(1_000);
});

test("G3 a refund that the provider refused can be asked for again with the same key, and is made once", async () => {
  const payment = await paid();
  failing = () => new CardProviderRefusalError("There is too little in the account.", null);
  const why = "There is too little in the account.";
  expect(await payment.ask("a")).toMatchObject({ outcome: "refused", why, payment: { refundedPence: 0 } });
  failing = null;
  expect(await payment.ask("a")).toMatchObject({ outcome: "refunded", payment: { refundedPence: 100 } });
  expect(await payment.ask("a")).toMatchObject({ outcome: "refunded", payment: { refundedPence: 100 } });
  expect(payment.refundedPence()).toBe(100);
});

test("G3 a refusal of a repeated refund counts only where the provider has not made it, so that none is made twice", async () => {
  const payment = await paid();
  losesAnswers = true;
  await expect(payment.ask("a")).rejects.toThrow(CardProviderUnavailableError);
  losesAnswers = false;
  failing = () => new CardProviderRefusalError("The key was rolled.", null);
  hiding = () => new CardProviderRefusalError("The key was rolled.", null);
  await expect(payment.ask("a"), "nobody can look").rejects.toThrow(CardProviderUnavailableError);
  hiding = () => new CardProviderUnavailableError("no answer");
  await expect(payment.ask("a"), "nobody can look").rejects.toThrow(CardProviderUnavailableError);
  hiding = null;
  expect(await payment.ask("a")).toMatchObject({ outcome: "refunded", payment: { refundedPence: 100 } });
  refused.clear();
  failing = null;
  expect(await payment.ask("a")).toMatchObject({ outcome: "refunded", payment: { refundedPence: 100 } });
  expect(payment.refundedPence()).toBe(100);
});

test("G3 while as many refunds of a payment run as may, a further one is not begun; when one is done, it is", async () => {
  const payment = await paid();
  failing = () => new CardProviderUnavailableError("no answer");
  const running = Array.from({ length: MAX_RUNNING_REFUNDS }, (_, turn) => `running ${turn}`);
  expect(running).toHaveLength(5);
  for (const key of running) await expect(payment.ask(key), key).rejects.toThrow(CardProviderUnavailableError);
  failing = null;
  calls = [];
  expect(await payment.ask("one more")).toMatchObject({ outcome: "refunds-running" });
  expect(calls).toEqual([]);
  expect(await payment.ask("running 0")).toMatchObject({ outcome: "refunded" });
  expect(await payment.ask("one more")).toMatchObject({ outcome: "refunded", payment: { refundedPence: 200 } });
});

test("G3 a command whose answer was lost refunds once when it is repeated, also after the webhook", async () => {
  const payment = await paid();
  losesAnswers = true;
  await expect(payment.command(200)).rejects.toThrow(CardProviderUnavailableError);
  losesAnswers = false;
  await payment.hear();
  till.clock.at += 5_000;
  expect(await payment.command(200)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 200 } });
  expect(await payment.command(200)).toMatchObject({ outcome: "already-refunded", refund: { amountPence: 200 } });
  expect(payment.refundedPence()).toBe(200);
});

test("G3 a command refunds the same amount once more when it is told to, or a day later", async () => {
  const payment = await paid();
  await payment.command(200);
  expect(await payment.command(200, { isAnother: true })).toMatchObject({ outcome: "refunded" });
  expect(await payment.command(200)).toMatchObject({ outcome: "already-refunded" });
  expect(await payment.command(300)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 700 } });
  till.clock.at += REPEATED_REFUND_MS + 1;
  expect(await payment.command(200)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 900 } });
  expect(await payment.command(null)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 1_000 } });
  expect(payment.refundedPence()).toBe(1_000);
});

test("G3 a refund whose answer was lost is found at the provider once it is too old to be sent, and the rest can be refunded", async () => {
  const payment = await paid();
  losesAnswers = true;
  await expect(payment.ask("a", 600)).rejects.toThrow(CardProviderUnavailableError);
  losesAnswers = false;
  till.clock.at += REFUND_KEY_MS + 1;
  calls = [];
  expect(await payment.ask("a", 600)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 600 } });
  expect(calls).not.toContain("refund");
  await payment.hear();
  expect(await payment.ask("a", 600)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 600 } });
  expect(await payment.ask("b", 400)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 1_000 } });
  expect(payment.refundedPence()).toBe(1_000);
});

test("G3 a key of a refund of a part is refused for one of everything, and the key of everything repeats it", async () => {
  const payment = await paid();
  failing = () => new CardProviderUnavailableError("no answer");
  await expect(payment.ask("part", 500)).rejects.toThrow(CardProviderUnavailableError);
  failing = null;
  expect(await payment.ask("part", null), "while it is asked for").toMatchObject({ outcome: "key-taken" });
  expect(await payment.ask("part", 500)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 500 } });
  till.clock.at += 1000;
  expect(await payment.ask("part", null), "when it is done").toMatchObject({ outcome: "key-taken" });
  expect(await payment.ask("rest", null)).toMatchObject({ outcome: "refunded", payment: { refundedPence: 1_000 } });
  till.clock.at += 1000;
  for (const amountPence of [null, 500])
    expect(await payment.ask("rest", amountPence)).toMatchObject({ outcome: "refunded", refund: { amountPence: 500 } });
  expect(await payment.ask("part", null), "when nothing is left").toMatchObject({ outcome: "key-taken" });
  expect(payment.refundedPence()).toBe(1_000);
});

test("G3 a request for everything beside a dispute of a part is the same request also when the dispute is over", async () => {
  const payment = await paid();
  await payment.dispute("needs_response", 300);
  till.clock.at += 1000;
  expect(await payment.ask("rest", null)).toMatchObject({ outcome: "refunded", refund: { amountPence: 700 } });
  expect(await payment.ask("rest", null)).toMatchObject({ outcome: "refunded", refund: { amountPence: 700 } });
  await payment.dispute("won", 300);
  till.clock.at += 1000;
  expect(await payment.ask("rest", null)).toMatchObject({ outcome: "refunded", refund: { amountPence: 700 } });
  expect(await payment.ask("rest", 300)).toMatchObject({ outcome: "key-taken" });
  expect(payment.refundedPence()).toBe(700);
});
