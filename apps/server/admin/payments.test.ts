import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { checkPayments } from "@farthing/core/payments/check.server.ts";
import { findPaymentRow } from "@farthing/core/payments/payment-row.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { intentOf, oneAccount, startPayments } from "../payments/payments.testing.ts";
import { adminCards } from "./admin-cards.ts";

const { db } = await testDatabase();
loadAdmin();

let stand: Awaited<ReturnType<typeof startPayments>>;
let admin: ReturnType<typeof openTestAdmin>;
beforeAll(async () => {
  stand = await startPayments(db);
  admin = openTestAdmin(db, { cards: adminCards(oneAccount(stand.provider)), now: () => new Date() });
});
afterEach(async () => {
  expect(admin.errors).toEqual([]);
  expect([...(await checkLedger(db)).faults, ...(await checkPayments(db))]).toEqual([]);
});
afterAll(() => stand.end());

async function paid(amountPence: number, reference: string) {
  const visitor = await stand.visitor();
  const payment = await visitor.start(amountPence, crypto.randomUUID(), reference);
  await stand.pay(payment);
  await stand.settle();
  return {
    id: payment.paymentId,
    path: `/admin/payments/${payment.paymentId}`,
    intent: intentOf(payment.clientSecret),
  };
}

test("A1 G3 a payment is refunded in part, then in full, after a question and with a reason; a form that is sent twice refunds once", async () => {
  const finance = await insertOperator(db, { role: "finance", now: new Date() });
  const { id, path } = await paid(1_000, "Basket 41");
  expect(await (await admin.get("/admin/payments?q=Basket+41", finance)).text()).toContain(path);
  const version = String((await findPaymentRow(db, { publicId: id }))?.version);
  const send = (form: Record<string, string>) => admin.post(path, finance, { version, ...form });
  expect((await send({ amount: "x" })).status).toBe(422);
  expect(await (await send({ amount: "4.00" })).text()).toContain("Refund £4.00?");
  expect((await send({ amount: "4.00", confirmed: "yes", why: " " })).status).toBe(422);
  const part = { amount: "4.00", confirmed: "yes", why: "one of two" };
  expect(await (await send(part)).text()).toContain("£4.00 of £10.00 has gone back");
  await send(part);
  await stand.settle();
  expect((await findPaymentRow(db, { publicId: id }))?.refundedPence, "sent twice").toBe(400);
  const now = String((await findPaymentRow(db, { publicId: id }))?.version);
  expect((await send({ version: now, amount: "6.01", confirmed: "yes", why: "too much" })).status).toBe(409);
  expect(await (await send({ version: now, amount: "", confirmed: "yes", why: "the rest" })).text()).toContain(
    "£10.00 of £10.00",
  );
  await stand.settle();
  const page = await (await admin.get(path, finance)).text();
  expect(page).toContain("refunded");
  expect(page).toContain("/admin/ledger/transfers/");
  const entries = await db
    .selectFrom("audit_entries")
    .select(["action", "why"])
    .where("subject_id", "=", id)
    .orderBy("seq")
    .execute();
  expect(entries.slice(0, 2)).toEqual([
    { action: "payment.refund.begin", why: "one of two" },
    { action: "payment.refund", why: "one of two" },
  ]);
  expect(entries.at(-1)).toEqual({ action: "payment.refund", why: "the rest" });
});

test("A1 G4 a dispute is listed by the day its evidence is due, is on its payment's page, and stops refunds", async () => {
  const finance = await insertOperator(db, { role: "finance", now: new Date() });
  const { id, path, intent } = await paid(2_000, "Basket 42");
  await stand.cards.test.json("POST", "/control/cards/disputes", { payment_intent: intent });
  await stand.settle();
  const list = await (await admin.get("/admin/disputes?state=evidence", finance)).text();
  expect(list).toContain(path);
  expect(list).toMatch(/in \d+ days/);
  expect(await (await admin.get(path, finance)).text()).toContain("Evidence due");
  const version = String((await findPaymentRow(db, { publicId: id }))?.version);
  const refused = await admin.post(path, finance, { version, amount: "", confirmed: "yes", why: "asked" });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("a refund would pay twice");
});

test("A1 G3 a provider that does not answer leaves the refund to the worker, and says so", async () => {
  const finance = await insertOperator(db, { role: "finance", now: new Date() });
  const { id, path } = await paid(500, "Basket 43");
  const silent = openTestAdmin(db, {
    cards: { ...admin.services.cards, refund: async () => ({ outcome: "unavailable" }) },
  });
  const version = String((await findPaymentRow(db, { publicId: id }))?.version);
  const answer = await silent.post(path, finance, { version, amount: "", confirmed: "yes", why: "asked" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("the worker finishes it");
});
