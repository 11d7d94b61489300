import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { dueWatches } from "../cashback-notices/watch-purchases.server.ts";
import { duePresents } from "../gift-cards/due-presents.server.ts";
import { dueNotices } from "../gift-cards/wallet-notices.server.ts";
import { dueLines } from "../gift-cards/due-lines.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { claimDueMails, dueMails, settleSentMail, type DueMail } from "../mails/outbox.server.ts";
import { claimDueEvents, dueEvents, receivePush } from "../networks/events.server.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { addWebhook, announceEvent, claimDueDeliveries, dueDeliveries } from "../partners/webhooks.server.ts";
import { claimOverduePayments, dueLookups } from "../payments/overdue-payments.server.ts";
import { OVERDUE_MS } from "../payments/overdue-rules.ts";
import { invite, start } from "../referrals/referrals.testing.ts";
import { dueReferrals } from "../referrals/watch-referrals.server.ts";
import { dueResetRequests, requestPasswordReset, settleResetRequest } from "../sign-in/reset-requests.server.ts";
import { dueWorkContract } from "./due-work-contract.testing.ts";
import { retryAfter, retryDoubling } from "./rules.ts";

const { db } = await testDatabase();
const brand = await insertBrand(db);
const network = await insertNetwork(db, { slug: "awin" });
const partner = await makePartner(db);
await addWebhook(db, { partnerId: partner.id, url: "https://shop.example/hooks", allowLocal: false });

dueWorkContract(db, {
  name: "mails",
  table: "mails",
  add: (now) =>
    queueMail(db, { brandId: brand.id, memberId: null, to: "ada@example.org", mail: { kind: "no-account" }, now }),
  clear: () => db.deleteFrom("mails").execute(),
  claim: (options) => claimDueMails(db, options),
  queue: dueMails,
  settle: (lease) => settleSentMail(db, { mail: lease as DueMail, subject: "Hello", now: lease.until }),
  maxAttempts: 9,
});

dueWorkContract(db, {
  name: "requests for a new password",
  table: "password_reset_requests",
  add: (now) => requestPasswordReset(db, { brandId: brand.id, email: "ada@example.org", now }),
  clear: () => db.deleteFrom("password_reset_requests").execute(),
  claim: (options) => dueResetRequests.claim(db, options),
  queue: dueResetRequests,
  settle: (lease) => settleResetRequest(db, lease),
  maxAttempts: 6,
});

dueWorkContract(db, {
  name: "partners' webhooks",
  table: "partner_webhook_deliveries",
  add: (now) => announceEvent(db, { partnerId: partner.id, kind: "payment.paid", data: {}, now }),
  clear: () => db.deleteFrom("partner_webhook_deliveries").execute(),
  claim: (options) => claimDueDeliveries(db, options),
  queue: dueDeliveries,
  settle: (lease) => dueDeliveries.settle(db, lease, { next_try_at: null, delivered_at: lease.until }),
  maxAttempts: 8,
});

let pushes = 0;
dueWorkContract(db, {
  name: "networks' pushes",
  table: "network_events",
  add: (now) => {
    pushes += 1;
    return receivePush(db, {
      networkId: network.id,
      push: { contentType: "text/plain", body: Buffer.from(`push ${pushes}`) },
      reading: { outcome: "read", networkTransactionId: String(pushes) },
      now,
    });
  },
  clear: () => db.deleteFrom("network_events").execute(),
  claim: (options) => claimDueEvents(db, { ...options, networkSlugs: ["awin"] }),
  queue: dueEvents,
  settle: (lease) => dueEvents.settle(db, lease, { status: "confirmed", handled_at: lease.until }),
  maxAttempts: 9,
});

dueWorkContract(db, {
  name: "look-ups of payments",
  table: "payment_lookups",
  async add(dueAt) {
    const id = newId();
    const heardAt = new Date(dueAt.getTime() - OVERDUE_MS);
    await db
      .insertInto("payments")
      .values({
        id,
        public_id: id.replaceAll("-", "").slice(-22),
        partner_id: partner.id,
        idempotency_key: id,
        amount_pence: 100,
        reference: "order",
        state: "processing",
        provider_payment_id: id,
        created_at: heardAt,
        changed_at: heardAt,
      })
      .execute();
    await db.insertInto("payment_lookups").values({ payment_id: id, lookups: 0, next_look_at: dueAt }).execute();
  },
  async clear() {
    await db.deleteFrom("payment_lookups").execute();
    // Payments are never deleted, and decided ones are not looked up.
    await db
      .updateTable("payments")
      .set(({ eb }) => ({ state: "cancelled", version: eb("version", "+", 1) }))
      .where("state", "=", "processing")
      .execute();
  },
  claim: (options) => claimOverduePayments(db, options),
  queue: dueLookups,
  // A payment is settled by its provider's answer.
  settle: null,
  maxAttempts: Infinity,
});

const club = await makeClub(db, { networkSlug: "cj" });
dueWorkContract(db, {
  name: "watched purchases",
  table: "cashback_watches",
  async add(dueAt) {
    const reported = reportedSale(club, await makeClick(db, club));
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now: dueAt });
    const entry = await db
      .selectFrom("cashback_entries as entry")
      .innerJoin("network_transactions as sale", "sale.id", "entry.network_transaction_id")
      .select("entry.id")
      .where("sale.network_transaction_id", "=", reported.networkTransactionId)
      .executeTakeFirstOrThrow();
    await db.updateTable("cashback_watches").set({ next_look_at: dueAt }).where("entry_id", "=", entry.id).execute();
  },
  clear: () => db.deleteFrom("cashback_watches").execute(),
  claim: (options) => dueWatches.claim(db, options),
  queue: dueWatches,
  // A watch ends with its purchase.
  settle: null,
  maxAttempts: Infinity,
});

await start(db, club.brandId);
dueWorkContract(db, {
  name: "referrals",
  table: "referral_watches",
  async add(dueAt) {
    const { referralId } = await invite(db, club);
    await db
      .updateTable("referral_watches")
      .set({ next_look_at: dueAt })
      .where("referral_id", "=", referralId!)
      .execute();
  },
  clear: () => db.deleteFrom("referral_watches").execute(),
  claim: (options) => dueReferrals.claim(db, options),
  queue: dueReferrals,
  // A watch ends in the transaction that settles its referral.
  settle: null,
  maxAttempts: Infinity,
});

/** Adds a gift-card line without a next step, of a card that is issued. */
async function addIssuedCard(at: Date): Promise<string> {
  const lineId = await addCardLine(at, null);
  await db
    .updateTable("gift_card_lines")
    .set({ sealed_card: "x".repeat(40), issued_at: at })
    .where("id", "=", lineId)
    .execute();
  return lineId;
}

dueWorkContract(db, {
  name: "presents",
  table: "gift_card_presents",
  async add(dueAt) {
    const lineId = await addIssuedCard(dueAt);
    await db
      .insertInto("gift_card_presents")
      .values({
        ...{ id: newId(), line_id: lineId, brand_id: club.brandId, state: "planned", giver_name: "Sam" },
        ...{ recipient_name: "Robin", recipient_email: "robin@example.org", message: "", design: "plain" },
        ...{ send_on: "2026-11-20", was_seen: false, made_at: dueAt, next_step_at: dueAt },
      })
      .execute();
  },
  clear: () => db.deleteFrom("gift_card_presents").execute(),
  claim: (options) => duePresents.claim(db, options),
  queue: duePresents,
  settle: (lease) => duePresents.settle(db, lease, { next_step_at: null }),
  maxAttempts: Infinity,
});

dueWorkContract(db, {
  name: "notices about gift cards",
  table: "wallet_cards",
  async add(dueAt) {
    const lineId = await addIssuedCard(dueAt);
    const own = { brand_id: club.brandId, member_id: club.memberId };
    await db
      .insertInto("wallet_cards")
      .values({ line_id: lineId, ...own, next_notice_at: dueAt })
      .execute();
  },
  clear: () => db.deleteFrom("wallet_cards").execute(),
  claim: (options) => dueNotices.claim(db, options),
  queue: dueNotices,
  settle: (lease) => dueNotices.settle(db, lease, { next_notice_at: null }),
  maxAttempts: Infinity,
});

dueWorkContract(db, {
  name: "gift-card lines",
  table: "gift_card_lines",
  add: async (dueAt) => void (await addCardLine(dueAt, dueAt)),
  // Lines are never deleted; one without a next step is no work.
  clear: () => db.updateTable("gift_card_lines").set({ next_step_at: null }).execute(),
  claim: (options) => dueLines.claim(db, options),
  queue: dueLines,
  settle: (lease) => dueLines.settle(db, lease, { next_step_at: null }),
  maxAttempts: Infinity,
});

async function addCardLine(dueAt: Date, nextStepAt: Date | null): Promise<string> {
  const ids = { product: newId(), order: newId(), line: newId() };
  await db
    .insertInto("gift_card_products")
    .values({
      ...{ id: ids.product, issuer: "tillo", issuer_product_id: ids.product, name: "A card", amounts_pence: [1000] },
      ...{ issuer_discount_bp: 0, reward_bp: 0, is_reversible: true, redeemable_at: ["online"], terms: "" },
      synced_at: dueAt,
    })
    .execute();
  await db
    .insertInto("gift_card_orders")
    .values({
      ...{ id: ids.order, partner_id: partner.id, session_id: newId(), idempotency_key: ids.order },
      ...{ buyer_mark: Buffer.alloc(32), total_pence: 1000, placed_at: dueAt },
    })
    .execute();
  await db
    .insertInto("gift_card_lines")
    .values({
      ...{ id: ids.line, order_id: ids.order, line_number: 1, product_id: ids.product, face_pence: 1000 },
      ...{ price_pence: 1000, fee_pence: 0, cashback_pence: 0, cost_pence: 1000, state: "awaiting_payment" },
      next_step_at: nextStepAt,
    })
    .execute();
  return ids.line;
}

describe("retries", () => {
  const now = new Date("2026-11-20T12:00:00Z");

  test("R1 retries follow the list of waits, and end with it", () => {
    const next = retryAfter([1_000, 5_000]);
    expect([1, 2, 3, 4].map((attempts) => next(attempts, now)?.toISOString() ?? null)).toEqual([
      "2026-11-20T12:00:01.000Z",
      "2026-11-20T12:00:05.000Z",
      null,
      null,
    ]);
  });

  test("R1 waits double up to the longest, however many attempts there were", () => {
    const next = retryDoubling({ firstMs: 1_000, maxMs: 10_000 });
    const waits = [1, 2, 3, 4, 5, 2_000].map((attempts) => next(attempts, now).getTime() - now.getTime());
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });
});
