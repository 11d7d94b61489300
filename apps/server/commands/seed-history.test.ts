import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { makeBrand, makeMember, makeNetwork } from "@farthing/core/ledger/ledger.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { seedHistory } from "./seed-history.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");

test("Z3 each demo member gets a history with every state, through the real operations, once", async () => {
  const networkId = await makeNetwork(db);
  const members: string[] = [];
  for (let i = 0; i < 2; i++) {
    const brandId = await makeBrand(db);
    const { slug } = await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow();
    members.push(await makeMember(db, { brandId, email: `member@${slug}.example` }));
    await makeMember(db, { brandId, email: `new@${slug}.example` });
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
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
});

test("Z3 a brand that shows nobody who pays cashback is left alone", async () => {
  const brandId = await makeBrand(db);
  const { slug } = await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow();
  await makeMember(db, { brandId, email: `member@${slug}.example` });
  expect(await seedHistory(db, { now, brands: [slug] })).toBe(0);
});
