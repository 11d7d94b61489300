import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { checkDisputes, checkFees, checkPayments, compareBalance } from "@farthing/core/payments/check.server.ts";
import { dueFees, readFee } from "@farthing/core/payments/due-fees.server.ts";
import { refundPayment } from "@farthing/core/payments/refund-payment.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readFees } from "./fee-jobs.ts";
import { intentOf, oneAccount, startPayments } from "./payments.testing.ts";

// What the card provider keeps of payments (G3, C4).

const { db } = await testDatabase();
let stand: Awaited<ReturnType<typeof startPayments>>;
beforeAll(async () => {
  stand = await startPayments(db);
});
afterAll(() => stand.end());

const away = createStripeProvider({ secretKey: "sk_test_x", webhookSecret: "whsec_x", apiUrl: "http://127.0.0.1:1" });
const own = { isShared: false };
const logged: string[] = [];
const log = (level: string) => () => void logged.push(level);
const clock = { at: Date.now() };
const partsWith = (cards = stand.provider) => ({
  ...{ db, cards: oneAccount(cards), now: () => new Date(clock.at) },
  logger: { info: log("info"), warn: log("warn"), error: log("error") },
});
const wait = (hours: number) => void (clock.at += hours * 3_600_000);
const fees = () => findBalance(db, { account: { kind: "provider_fees" } });
const faults = async () => [
  ...(await checkLedger(db)).faults,
  ...(await checkPayments(db)),
  ...(await checkDisputes(db)),
  ...(await checkFees(db)),
];
async function paid(amountPence: number, mode: "live" | "test" = "live") {
  const visitor = await stand.visitor({ mode });
  const payment = await visitor.start(amountPence);
  await stand.pay(payment);
  await stand.settle();
  clock.at = Math.max(clock.at, Date.now());
  return { id: payment.paymentId, intent: intentOf(payment.clientSecret) };
}

test("G3 C4 each live payment's fee is read and booked once, and the books agree with the provider's balance", async () => {
  const before = await fees();
  const first = await paid(1000);
  await paid(2000);
  expect(await readFees(partsWith())).toBe(2);
  expect(await readFees(partsWith())).toBe(0);
  // 1.5 % and 20p each.
  expect(before - (await fees())).toBe(35 + 50);
  const refund = { publicId: first.id, amountPence: 400, now: new Date() };
  await refundPayment(db, oneAccount(stand.provider), refund);
  await stand.cards.test.json("POST", "/control/cards/disputes", { payment_intent: first.intent, amount: 600 });
  await stand.settle();
  wait(10);
  expect(await readFees(partsWith())).toBe(0);
  expect(await faults()).toEqual([]);
  const compared = await compareBalance(db, stand.provider, own);
  expect(compared?.faults).toEqual([]);
  expect(compared?.note).toMatch(/^The card provider has (\S+) of ours, and the books say \1\.$/);
});

test("G3 a fee that is not known yet, or can't be read, is read later, and never given up", async () => {
  await paid(1000);
  const before = await fees();
  logged.length = 0;
  expect(await readFees(partsWith(away))).toBe(1);
  expect(logged).toEqual(["warn"]);
  for (let tries = 0; tries < 30; tries += 1) {
    wait(6);
    const [due] = await dueFees.claim(db, { now: new Date(clock.at), leaseMs: 1_000, max: 1 });
    if (!due) throw new Error("The fee was given up.");
    expect(await readFee(db, { findFee: async () => null }, { due, now: new Date(clock.at) })).toBe("waiting");
  }
  const compared = await compareBalance(db, stand.provider, own);
  expect(compared).toMatchObject({
    faults: [],
    note: expect.stringContaining("The fees of 1 payments are not read yet."),
  });
  wait(6);
  expect(await readFees(partsWith())).toBe(1);
  expect(before - (await fees())).toBe(35);
});

test("G3 two workers that read the same fee book it once", async () => {
  await paid(1000);
  const before = await fees();
  const [due] = await dueFees.claim(db, { now: new Date(clock.at), leaseMs: 60_000, max: 1 });
  if (!due) throw new Error("No fee is due.");
  const now = new Date(clock.at);
  const done = await Promise.all([1, 2, 3].map(() => readFee(db, stand.provider, { due, now })));
  expect(done.toSorted()).toEqual(["booked", "lost", "lost"]);
  expect(before - (await fees())).toBe(35);
  expect(await faults()).toEqual([]);
});

test("C4 more at the provider than in the books is a fault, less is a payout, and silence is said", async () => {
  const there = await stand.provider.findBalance();
  const more = await compareBalance(db, { findBalance: async () => there + 1 }, own);
  expect(more?.faults).toEqual([expect.stringContaining("Something that it has taken is not booked.")]);
  const shared = await compareBalance(db, { findBalance: async () => there + 1 }, { isShared: true });
  expect(shared).toMatchObject({ faults: [], note: expect.stringContaining("It also has test payments") });
  const less = await compareBalance(db, { findBalance: async () => there - 250 }, own);
  expect(less).toMatchObject({
    faults: [],
    note: expect.stringContaining("£2.50 should be what it has paid out to our bank."),
  });
  expect(await compareBalance(db, away, own)).toBeNull();
  const settings = { secretKey: "sk_test_wrong", webhookSecret: "whsec_x", apiUrl: stand.cards.url };
  expect(await compareBalance(db, createStripeProvider(settings), own)).toBeNull();
});

test("W10 C4 a test payment has no fee in the books", async () => {
  await paid(900, "test");
  expect(await readFees(partsWith())).toBe(0);
});

test("C4 the check finds a fee whose posting is missing", async () => {
  await paid(1000);
  const trial = db.transaction().execute(async (trx) => {
    await trx
      .updateTable("payment_fees")
      .set({ fee_pence: 77, next_read_at: null })
      .where("fee_pence", "is", null)
      .execute();
    expect(await checkFees(trx)).toEqual([expect.stringContaining("should have 77 pence of fee, and has 0")]);
    throw new Error("undone");
  });
  await expect(trial).rejects.toThrow("undone");
});
