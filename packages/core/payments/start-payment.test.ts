import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { addWebhook } from "../partners/webhooks.server.ts";
import { begun, openTill } from "./payments.testing.ts";
import { settlePayment } from "./settle-payment.server.ts";

const { db } = await testDatabase();
const till = await openTill(db);

test("G3 a fixed price can be paid after a payment that was cancelled, and only once", async () => {
  const visitor = await till.visit({ amountPence: 2500, reference: "order 7" });
  const cancelled = begun(await visitor.start());
  expect(await visitor.start(), "until it is cancelled, it is the payment").toMatchObject({
    outcome: "started",
    publicId: cancelled.publicId,
  });
  await till.cancel(cancelled);
  const next = begun(await visitor.start());
  expect(next.publicId).not.toBe(cancelled.publicId);
  expect(next.amountPence).toBe(2500);
  await till.pay(next);
  expect(await visitor.start()).toEqual({ outcome: "already-paid" });
  const states = await db
    .selectFrom("payments")
    .select(["public_id", "state"])
    .where("public_id", "in", [cancelled.publicId, next.publicId])
    .orderBy("id")
    .execute();
  expect(states).toEqual([
    { public_id: cancelled.publicId, state: "cancelled" },
    { public_id: next.publicId, state: "paid" },
  ]);
});

test("W10 a payment that is first seen when it is refunded is announced as paid, and then as refunded", async () => {
  const { providerPaymentId, publicId } = begun(await (await till.visit()).start());
  const { partner_id: partnerId } = await db
    .selectFrom("payments")
    .select("partner_id")
    .where("public_id", "=", publicId)
    .executeTakeFirstOrThrow();
  const webhook = await addWebhook(db, { partnerId, url: "https://shop.example/hook", allowLocal: false });
  till.cards.pay(providerPaymentId);
  till.cards.refundElsewhere(providerPaymentId, 300);
  for (const changed of [true, false])
    expect(await settlePayment(db, till.cards.provider, { providerPaymentId, now: till.now() })).toMatchObject({
      changed,
    });
  const sent = await db
    .selectFrom("partner_webhook_deliveries")
    .select("body")
    .where("webhook_id", "=", webhook.id)
    .orderBy("id")
    .execute();
  const data = { paymentId: publicId, reference: "visit", amountPence: 1000 };
  const news = sent.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  expect(news).toMatchObject([
    { type: "payment.paid", data },
    { type: "payment.refunded", data: { ...data, refundedPence: 300 } },
  ]);
  expect(news[0]?.data).not.toHaveProperty("refundedPence");
});
