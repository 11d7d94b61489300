import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { checkPayouts } from "@farthing/core/payouts/check.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { DEVELOPMENT_ORIGINATOR } from "../env.ts";
import { seedHistory as seed } from "./seed-history.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");
const bank = { bankKeys: ["a key for bank details"], originator: DEVELOPMENT_ORIGINATOR } as const;
const seedHistory = (on: typeof db, options: Omit<Parameters<typeof seed>[1], "bank">) =>
  seed(on, { ...options, bank });

test("Z3 each demo member gets a history with every state, through the real operations, once", async () => {
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  const members: string[] = [];
  for (let i = 0; i < 2; i++) {
    const brandId = (await insertBrand(db)).id;
    const { slug } = await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow();
    members.push((await insertVerifiedMember(db, { brandId, email: `member@${slug}.example` })).id);
    await insertVerifiedMember(db, { brandId, email: `new@${slug}.example` });
    for (let shop = 0; shop < 12; shop++)
      await makeShop(db, { brandId, networkId, retailer: shop === 11 ? { confirms_after: "travel" } : {} });
  }
  expect(await seedHistory(db, { now })).toBe(2);
  const histories = await Promise.all(members.map((memberId) => findCashbackTimeline(db, { memberId, now })));
  for (const { items, openClicks, balances } of histories) {
    expect(new Set(items.map((item) => item.state))).toEqual(
      new Set(["tracked", "confirmed", "payable", "paid", "declined"]),
    );
    expect(openClicks).toHaveLength(1);
    expect(items.filter((item) => item.state === "declined").map((item) => item.reason)).toEqual([
      "The retailer told us the order was returned or refunded.",
    ]);
    expect(items.some((item) => item.reason === "The retailer changed the amount of the order.")).toBe(true);
    expect(items.some((item) => item.reason?.includes("travelled"))).toBe(true);
    for (const pence of Object.values(balances)) expect(pence).toBeGreaterThan(0);
    expect(
      items.every((item) =>
        item.steps.every((step, i, steps) => !step.at || !steps[i - 1]?.at || step.at >= steps[i - 1]!.at!),
      ),
    ).toBe(true);
  }
  const counts = () =>
    Promise.all(
      (["clicks", "cashback_changes", "ledger_entries"] as const).map(
        async (table) =>
          (
            await db
              .selectFrom(table)
              .select((one) => one.fn.countAll().as("count"))
              .executeTakeFirstOrThrow()
          ).count,
      ),
    );
  const before = await counts();
  expect(await seedHistory(db, { now: new Date(now.getTime() + 86_400_000) })).toBe(0);
  expect(await counts()).toEqual(before);
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db)), ...(await checkPayouts(db))]).toEqual([]);
});

test("Z3 C6 what a demo member was paid is a withdrawal in a batch of two operators, and they joined before they bought", async () => {
  const payouts = await db
    .selectFrom("payouts")
    .innerJoin("payout_batches as batch", "batch.id", "payouts.batch_id")
    .innerJoin("members", "members.id", "payouts.member_id")
    .select(["payouts.state", "amount_pence as pence", "batch.made_by as by", "batch.approved_by as approvedBy"])
    .select(["payouts.paid_at as paidAt", "requested_at as askedAt", "members.created_at as joinedAt"])
    .execute();
  expect(payouts).toHaveLength(2);
  for (const { joinedAt, askedAt, paidAt, ...payout } of payouts) {
    expect(payout).toMatchObject({
      state: "paid",
      by: expect.stringContaining("finance@"),
      approvedBy: expect.stringContaining("owner@"),
    });
    expect(joinedAt < askedAt && askedAt < paidAt! && paidAt! < now).toBe(true);
  }
  expect(await db.selectFrom("mails").select("kind").where("kind", "like", "payout-%").execute()).toEqual([]);
});

test("Z3 sixty days later the history is continued: open purchases are decided, new ones made, and the books balance", async () => {
  const networkId = (await insertNetwork(db, { slug: "cj" })).id;
  const brandId = (await insertBrand(db)).id;
  const { slug } = await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow();
  const memberId = (await insertVerifiedMember(db, { brandId, email: `member@${slug}.example` })).id;
  for (let shop = 0; shop < 24; shop++)
    await makeShop(db, { brandId, networkId, retailer: shop % 12 === 11 ? { confirms_after: "travel" } : {} });
  await seedHistory(db, { now, brands: [slug] });
  const own = await db
    .selectFrom("network_transactions")
    .select(["id", "network_transaction_id"])
    .where("status", "=", "pending")
    .where("click_id", "in", db.selectFrom("clicks").select("id").where("member_id", "=", memberId))
    .orderBy("purchased_at")
    .executeTakeFirstOrThrow();
  // A purchase made by a person, not an order of the demo.
  await db.updateTable("network_transactions").set({ order_reference: "WEB-1" }).where("id", "=", own.id).execute();
  const stateOf = (id: string) =>
    db
      .selectFrom("network_transactions")
      .select(["status", "modified_at", "updated_at"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  const untouched = await stateOf(own.id);
  const before = await findCashbackTimeline(db, { memberId, now });

  const later = new Date("2027-01-19T12:00:00Z");
  expect(await seedHistory(db, { now: later, brands: [slug] })).toBe(1);
  const after = await findCashbackTimeline(db, { memberId, now: later });
  const lastDays = after.items.filter((item) => later.getTime() - item.purchasedAt.getTime() < 14 * 86_400_000);
  expect(lastDays.map((item) => item.state)).toEqual(["tracked", "tracked"]);
  expect(after.items.length).toBe(before.items.length + 3);
  expect(new Set(after.items.map((item) => item.state))).toEqual(
    new Set(["tracked", "confirmed", "payable", "paid", "declined"]),
  );
  expect(after.openClicks.some((click) => later.getTime() - click.clickedAt.getTime() < 86_400_000)).toBe(true);
  expect(await stateOf(own.id)).toEqual(untouched);
  expect(await seedHistory(db, { now: later, brands: [slug] }), "a second start").toBe(0);
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
  expect(await db.selectFrom("cashback_notices").select("member_id").execute(), "no mail is sent").toEqual([]);

  // Two years of occasional starts.
  for (const day of ["2027-03-01", "2027-12-24", "2028-02-29", "2028-11-01"])
    expect(await seedHistory(db, { now: new Date(`${day}T12:00:00Z`), brands: [slug] })).toBe(1);
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);

  await db.updateTable("members").set({ suspended_at: later }).where("id", "=", memberId).execute();
  expect(await seedHistory(db, { now: new Date("2029-06-01T12:00:00Z"), brands: [slug] }), "suspended").toBe(0);
});

test("Z3 a brand without a retailer that pays cashback gets no history", async () => {
  const brandId = (await insertBrand(db)).id;
  const { slug } = await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow();
  await insertVerifiedMember(db, { brandId, email: `member@${slug}.example` });
  expect(await seedHistory(db, { now, brands: [slug] })).toBe(0);
});
