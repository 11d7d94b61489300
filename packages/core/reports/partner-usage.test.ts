import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { makePartner } from "../partners/partners.testing.ts";
import { addWebhook } from "../partners/webhooks.server.ts";
import { drawUsage, readPartnerUsage, totalUsage } from "./partner-usage.server.ts";
import { reportCsv } from "./report-table.ts";

const { db } = await testDatabase();
let partner: Awaited<ReturnType<typeof makePartner>>;
let other: typeof partner;

async function pay(
  at: string,
  state: string,
  { pence = 1_000, refunded = 0, mode = "live", by = partner } = {},
): Promise<void> {
  const id = newId();
  const [created_at, public_id] = [new Date(at), id.replaceAll("-", "").slice(-22)];
  await db
    .insertInto("payments")
    .values({
      ...{ id, public_id, partner_id: by.id, mode, state, created_at, changed_at: created_at, reference: "order" },
      ...{ idempotency_key: id, amount_pence: pence, refunded_pence: refunded, provider_payment_id: id },
    })
    .execute();
}

async function deliver(webhookId: string, at: string, how: "delivered" | "given-up" | "waiting"): Promise<void> {
  const time = new Date(at);
  await db
    .insertInto("partner_webhook_deliveries")
    .values({
      ...{ id: newId(), webhook_id: webhookId, event_id: newId(), kind: "payment.succeeded", body: "{}" },
      ...{ attempts: 1, created_at: time, delivered_at: how === "delivered" ? time : null },
      next_try_at: how === "waiting" ? time : null,
    })
    .execute();
}

beforeAll(async () => {
  partner = await makePartner(db);
  other = await makePartner(db, { name: "Other" });
  // 23:30 UTC on 30 September is October in London.
  await pay("2026-09-30T23:30:00Z", "paid", { pence: 1_001 });
  await pay("2026-09-30T22:59:00Z", "paid", { pence: 5 });
  await pay("2026-10-01T12:00:00Z", "partly_refunded", { pence: 2_000, refunded: 500 });
  await pay("2026-10-01T12:00:00Z", "failed");
  await pay("2026-10-01T12:00:00Z", "cancelled");
  await pay("2026-10-03T12:00:00Z", "processing");
  await pay("2026-11-30T23:59:59Z", "refunded", { pence: 70, refunded: 70 });
  await pay("2026-12-01T00:00:00Z", "paid", { pence: 9 });
  await pay("2026-10-01T12:00:00Z", "paid", { mode: "test" });
  await pay("2026-10-01T12:00:00Z", "paid", { by: other });
  const add = async (mode: "live" | "test", by = partner) => {
    const added = await addWebhook(db, {
      ...{ partnerId: by.id, url: `https://${mode}.example/hook`, mode, key: "a key of tests", allowLocal: false },
    });
    return added.id;
  };
  const live = await add("live");
  await deliver(live, "2026-10-01T12:00:00Z", "delivered");
  await deliver(live, "2026-10-01T12:00:00Z", "given-up");
  await deliver(live, "2026-10-02T12:00:00Z", "waiting");
  await deliver(await add("test"), "2026-10-01T12:00:00Z", "delivered");
  await deliver(await add("live", other), "2026-10-01T12:00:00Z", "delivered");
});

const none = {
  ...{ begun: 0, taken: 0, takenPence: 0, refundedPence: 0, failed: 0, deliveries: 0, delivered: 0, givenUp: 0 },
};
const read = (by: "day" | "month", from: string, to: string, mode: "live" | "test" = "live") =>
  readPartnerUsage(db, { partnerId: partner.id, mode, by, from, to });

describe("W10 a partner's usage", () => {
  test("W10 counts by London's days: payments, amounts, failures and deliveries, of this partner and mode alone", async () => {
    expect(await read("day", "2026-10-01", "2026-10-03")).toEqual([
      {
        ...{ period: "2026-10-01", begun: 4, taken: 2, takenPence: 3_001, refundedPence: 500, failed: 2 },
        ...{ deliveries: 2, delivered: 1, givenUp: 1 },
      },
      { ...none, period: "2026-10-02", deliveries: 1 },
      { ...none, period: "2026-10-03", begun: 1 },
    ]);
    const [day] = await read("day", "2026-10-01", "2026-10-01", "test");
    expect(day).toEqual({
      ...{ ...none, period: "2026-10-01", begun: 1, taken: 1, takenPence: 1_000, deliveries: 1, delivered: 1 },
    });
  });

  test("W10 by month it has the days of the range only, and their sum is that of the days", async () => {
    const months = await read("month", "2026-10-02", "2026-11-30");
    expect(months).toEqual([
      { ...none, period: "2026-10-01", begun: 1, deliveries: 1 },
      { ...none, period: "2026-11-01", begun: 1, taken: 1, takenPence: 70, refundedPence: 70 },
    ]);
    expect(totalUsage(months)).toEqual(totalUsage(await read("day", "2026-10-02", "2026-11-30")));
    expect(reportCsv(drawUsage(months, "month"))).toBe(
      [
        "Month,Payments begun,Taken,Amount taken (GBP),Refunded (GBP),Failed or cancelled,Deliveries,Delivered,Given up",
        "2026-10,1,0,0.00,0.00,0,1,0,0",
        "2026-11,1,1,0.70,0.70,0,0,0,0",
        "",
      ].join("\r\n"),
    );
  });
});
