import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { EVENT_TRANSITIONS } from "@farthing/core/networks/events.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { startNetworkJobs } from "./network-jobs.ts";
import { pushOf, testNetwork } from "./networks.testing.ts";

const { db, pool } = await testDatabase();
const { report, networks, clock, now, logger, send, events, confirm, wait, sold, list } = testNetwork({ db, pool });

describe("C2 confirming a push", () => {
  test("C2 the amount of the report is credited, not the one of the push", async () => {
    const { sale, balances } = await sold();
    list(sale);
    await send(pushOf(sale));
    expect(await balances()).toEqual([0, 0, 0, 0]);
    expect(await confirm()).toBe(1);
    expect(await balances()).toEqual([600, 0, 0, 0]); // of the £100 in the report, not of the £999 in the push
    expect(await events()).toMatchObject([{ status: "confirmed" }]);
    expect(await confirm()).toBe(0);
  });

  test("C2 a forged push ends unconfirmed and moves no money, however often it is looked up", async () => {
    const { sale, balances } = await sold();
    await send(pushOf(sale));
    for (let i = 0; i < 20; i++) {
      await confirm();
      wait(86_400);
    }
    expect(await events()).toMatchObject([{ status: "unconfirmed", attempts: 9 }]);
    expect(await balances()).toEqual([0, 0, 0, 0]);
    expect(
      await db
        .selectFrom("network_transactions")
        .select("id")
        .where("network_transaction_id", "=", sale.networkTransactionId)
        .execute(),
    ).toEqual([]);
  });

  test("C2 a push that arrives before the report has the sale is confirmed a little later", async () => {
    const { sale, balances } = await sold();
    await send(pushOf(sale));
    await confirm();
    list(sale);
    expect(await confirm()).toBe(0); // not due yet
    wait(3);
    await confirm();
    expect({ balances: await balances(), push: (await events())[0]!.status }).toEqual({
      balances: [600, 0, 0, 0],
      push: "confirmed",
    });
  });

  test("R1 while the network is down no push is lost, and the attempts don't count", async () => {
    const { sale, balances } = await sold();
    list(sale);
    report.isDown = true;
    await send(pushOf(sale));
    for (let i = 0; i < 30; i++) {
      await confirm();
      wait(60);
    }
    expect(await events()).toMatchObject([{ status: "received", attempts: 0, last_error: "down for the test" }]);
    report.isDown = false;
    await confirm();
    expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("R1 a push about a sale that the network never answers for holds up no other", async () => {
    const sales = await Promise.all(Array.from({ length: 5 }, () => sold()));
    for (const { sale } of sales) {
      list(sale);
      await send(pushOf(sale));
    }
    const [broken, ...others] = sales;
    report.splitIds = (ids) => ids.map((id) => [id]);
    report.failsFor = (id) => id === broken!.sale.networkTransactionId;
    expect(await confirm()).toBe(5);
    for (const { balances } of others) expect(await balances()).toEqual([600, 0, 0, 0]);
    expect((await events()).filter(({ status }) => status !== "confirmed")).toMatchObject([
      { status: "received", attempts: 0, last_error: "this id fails for the test" },
    ]);
    wait(60);
    report.failsFor = () => false;
    expect(await confirm()).toBe(1);
    expect(await broken!.balances()).toEqual([600, 0, 0, 0]);
  });

  test("R1 a network that is away is not asked for each push, and two that it never answers for hold up no other", async () => {
    const sales = await Promise.all(Array.from({ length: 8 }, () => sold()));
    for (const { sale } of sales) {
      list(sale);
      await send(pushOf(sale));
    }
    report.splitIds = (ids) => ids.map((id) => [id]);
    report.isDown = true;
    await confirm();
    expect(report.asked).toHaveLength(2);
    expect((await events()).every(({ status, attempts }) => status === "received" && attempts === 0)).toBe(true);
    report.isDown = false;
    const broken = new Set(sales.slice(0, 2).map(({ sale }) => sale.networkTransactionId));
    report.failsFor = (id) => broken.has(id);
    for (let round = 0; round < 4; round += 1) {
      wait(60);
      await confirm();
    }
    for (const { sale, balances } of sales)
      expect(await balances()).toEqual([broken.has(sale.networkTransactionId) ? 0 : 600, 0, 0, 0]);
  });

  test("R1 of more pushes than the network's limit of calls allows, those within it are confirmed and the others wait", async () => {
    const sales = await Promise.all(Array.from({ length: 5 }, () => sold()));
    for (const { sale } of sales) {
      list(sale);
      await send(pushOf(sale));
    }
    report.splitIds = (ids) => ids.map((id) => [id]);
    report.calls = 3;
    report.callCost = 1;
    report.failsFor = () => report.calls < 0;
    await confirm();
    const pushes = await events();
    expect(pushes.filter(({ status }) => status === "confirmed")).toHaveLength(3);
    expect(pushes.filter(({ status, attempts }) => status === "received" && attempts === 0)).toHaveLength(2);
    report.calls = 3;
    wait(60);
    await confirm();
    for (const { balances } of sales) expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("R1 a network that answers slowly is asked within the lease of its pushes, and later about those that are left over", async () => {
    const sales = await Promise.all(Array.from({ length: 5 }, () => sold()));
    for (const { sale } of sales) {
      list(sale);
      await send(pushOf(sale));
    }
    report.splitIds = (ids) => ids.map((id) => [id]);
    report.failsFor = () => {
      wait(30);
      return false;
    };
    await confirm();
    const pushes = await events();
    expect(pushes.filter(({ status, attempts }) => status === "received" && attempts === 0).length).toBeGreaterThan(0);
    expect(report.asked.length).toBeLessThan(5);
    wait(60);
    await confirm();
    for (const { balances } of sales) expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("C2 two concurrent workers credit each purchase once, although pushes arrive shuffled, three times each, and a tenth are forged", async () => {
    const sales = await Promise.all(Array.from({ length: 60 }, () => sold()));
    sales.forEach(({ sale }, i) => (i % 10 === 0 ? null : list(sale)));
    const deliveries = sales
      .flatMap(({ sale }) => [pushOf(sale), pushOf(sale), pushOf(sale, { note: "again, other bytes" })])
      .sort(() => Math.random() - 0.5);
    await Promise.all(deliveries.map((body) => send(body)));
    expect(await events()).toHaveLength(120);
    for (let i = 0; i < 20; i++) {
      await Promise.all([confirm(), confirm()]);
      wait(86_400);
    }
    for (const [i, { balances }] of sales.entries())
      expect(await balances()).toEqual([i % 10 === 0 ? 0 : 600, 0, 0, 0]);
    expect((await events()).filter((event) => event.status === "unconfirmed")).toHaveLength(12);
    expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
  });

  test("C3 a purchase at an unknown retailer is not credited, and its push is confirmed", async () => {
    const { sale, balances } = await sold({ networkProgrammeId: "424242" });
    list(sale);
    await send(pushOf(sale));
    await confirm();
    expect({ balances: await balances(), push: (await events())[0]!.status }).toEqual({
      balances: [0, 0, 0, 0],
      push: "confirmed",
    });
    expect(
      await db
        .selectFrom("network_transactions")
        .select("held_because")
        .where("network_transaction_id", "=", sale.networkTransactionId)
        .execute(),
    ).toEqual([{ held_because: "unknown_programme" }]);
  });
});

describe("C2 the workers", () => {
  test("C2 a running worker confirms a push as soon as it arrives, and closes cleanly", async () => {
    clock.now = new Date();
    const { sale, balances } = await sold();
    list(sale);
    const jobs = startNetworkJobs({ db, pool, networks, pollSeconds: { awin: 3_600 }, logger, now });
    await send(pushOf(sale));
    await expect.poll(balances).toEqual([600, 0, 0, 0]);
    await jobs.close();
    expect(pool.waitingCount).toBe(0);
  });

  test("C2 every final state of a push is reachable", () => {
    const reached = new Set<string>(["received", "unreadable"]);
    for (const status of reached)
      for (const next of EVENT_TRANSITIONS[status as keyof typeof EVENT_TRANSITIONS]) reached.add(next);
    expect([...reached].sort()).toEqual(Object.keys(EVENT_TRANSITIONS).sort());
  });
});
