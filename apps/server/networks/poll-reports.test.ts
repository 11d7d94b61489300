import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { testNetwork } from "./networks.testing.ts";

const { db, pool } = await testDatabase();
const { report, clock, poll, wait, sold, list } = testNetwork({ db, pool });

const pass = () =>
  db
    .selectFrom("network_passes")
    .select(["covered_until", "last_error"])
    .where("pass", "=", "transaction")
    .executeTakeFirstOrThrow();
const HOUR_MS = 3_600_000;

describe("C2 polling", () => {
  test("C2 the passes find a sale whose push was lost, its approval, its payment and a late decline", async () => {
    const { sale, balances } = await sold();
    list(sale);
    await poll();
    expect({ asked: report.asked, balances: await balances() }).toEqual({
      asked: ["transaction", "validation", "amendment"],
      balances: [600, 0, 0, 0],
    });
    wait(60);
    list({ ...sale, status: "approved", validatedAt: clock.now, modifiedAt: clock.now });
    await poll();
    expect(await balances()).toEqual([0, 600, 0, 0]);
    wait(7_200);
    await poll(); // from here on no pass reaches back to the approval
    wait(7_200);
    list({ ...report.rows.get(sale.networkTransactionId)!, paidToPublisher: true });
    await poll();
    expect({ asked: report.asked.at(-1), balances: await balances() }).toEqual({
      asked: "ids 1",
      balances: [0, 0, 600, 0],
    });
    wait(60);
    list({ ...sale, status: "declined", reason: "returned", validatedAt: clock.now, modifiedAt: clock.now });
    await poll();
    expect(await balances()).toEqual([0, 0, 0, 0]);
  });

  test("C2 the daily pass of a month finds a sale that was filed weeks late", async () => {
    await poll();
    const { sale, balances } = await sold({
      purchasedAt: new Date("2026-09-15T10:00:00Z"),
      modifiedAt: new Date("2026-09-15T10:00:00Z"),
    });
    list(sale);
    wait(60);
    await poll();
    expect(await balances()).toEqual([0, 0, 0, 0]);
    wait(86_400);
    await poll();
    expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("C2 a failed first run of the day does not lose the late sales of that day", async () => {
    await poll();
    const { sale, balances } = await sold({ purchasedAt: new Date("2026-09-15T10:00:00Z") });
    list(sale);
    wait(86_400);
    report.isDown = true;
    await poll();
    report.isDown = false;
    wait(3_600);
    await poll();
    expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("C2 an old page that always fails does not hold up what is recent", async () => {
    await poll();
    wait(86_400);
    const { sale, balances } = await sold({ purchasedAt: clock.now });
    list(sale);
    report.fails = (_, from) => from < new Date("2026-09-10T00:00:00Z");
    await poll();
    expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("R1 passes that always fail and use up the limit of calls starve no other pass", async () => {
    const { sale, balances } = await sold({ status: "approved", purchasedAt: new Date("2020-01-01T10:00:00Z") });
    report.fails = (pass) => pass !== "amendment" && pass !== "validation";
    report.callCost = 1;
    const ran = new Map<string, number>();
    for (let round = 0; round < 12; round += 1) {
      report.asked = [];
      report.calls = 7; // one call a round beyond those reserved for pushes
      await poll();
      for (const pass of report.asked.filter((asked) => !asked.startsWith("ids")))
        ran.set(pass, (ran.get(pass) ?? 0) + 1);
      wait(60);
      if (round === 4) list({ ...sale, validatedAt: clock.now, modifiedAt: clock.now });
    }
    expect([...ran.keys()].sort()).toEqual(["amendment", "transaction", "validation"]);
    expect(Math.max(...ran.values()) - Math.min(...ran.values())).toBeLessThanOrEqual(1);
    expect(await balances()).toEqual([0, 600, 0, 0]);
  });

  test("C2 the next pass reads what a failed one missed", async () => {
    const { sale, balances } = await sold({
      purchasedAt: new Date("2026-10-02T12:30:00Z"),
      modifiedAt: new Date("2026-10-02T12:30:00Z"),
    });
    await poll();
    list(sale);
    report.isDown = true;
    for (let i = 0; i < 10; i++) {
      wait(3_600);
      await poll();
    }
    report.isDown = false;
    wait(3_600);
    await poll();
    expect(await balances()).toEqual([600, 0, 0, 0]);
  });

  test("C2 a row that was spoiled on its way is read at the next poll, and one that stays so holds up a few hours at most", async () => {
    await poll();
    wait(5 * 3600);
    const [spoiled, whole, next] = [await sold(), await sold(), await sold()];
    list({ ...spoiled.sale, purchasedAt: new Date(clock.now.getTime() - 3 * 3_600_000) });
    list({ ...whole.sale, purchasedAt: new Date(clock.now.getTime() - 2 * 3_600_000) });
    report.spoiled.add(spoiled.sale.networkTransactionId);
    await poll();
    expect([await spoiled.balances(), await whole.balances()]).toEqual([
      [0, 0, 0, 0],
      [600, 0, 0, 0],
    ]);
    expect(await pass()).toMatchObject({ last_error: "1 row could not be read." });

    report.spoiled.clear();
    wait(10);
    await poll();
    expect(await spoiled.balances()).toEqual([600, 0, 0, 0]);
    expect(await pass()).toEqual({ covered_until: clock.now, last_error: null });

    list({ ...next.sale, purchasedAt: clock.now });
    report.spoiled.add(next.sale.networkTransactionId);
    for (let hours = 0; hours < 12; hours += 3) {
      wait(3 * 3600);
      await poll();
    }
    expect(await pass()).toEqual({ covered_until: clock.now, last_error: null });
  });

  test.each<[string, (sale: ReportedTransaction) => ReportedTransaction]>([
    ["holds a NUL", (sale) => ({ ...sale, raw: { note: "a\0b" } })],
    ["holds half a character", (sale) => ({ ...sale, raw: { note: "\ud83d" } })],
    ["is in another currency than its sale", (sale) => ({ ...sale, currency: "EUR" })],
  ])(
    "C2 a row that %s can never be stored: it holds up a few hours at most, and no date of the calendar",
    async (_, spoil) => {
      report.passes = ["transaction"]; // as at Rakuten, where no other pass reads up to the calendar's date
      await poll();
      wait(5 * 3600);
      const calendar = {
        approvedFrom: new Date(clock.now.getTime() + 2 * HOUR_MS),
        paidFrom: new Date(clock.now.getTime() + 999 * HOUR_MS),
      };
      const part = (rowId: string, isOriginal = true) => ({ rowId, isOriginal });
      const [due, corrected] = [
        await sold({ purchasedAt: clock.now, calendar, correction: part("due") }),
        await sold({ purchasedAt: clock.now, correction: part("corrected") }),
      ];
      list(due.sale);
      list(corrected.sale);
      report.rows.set("correction", spoil({ ...corrected.sale, correction: part("correction", false) }));
      await poll();
      expect(await corrected.balances()).toEqual([600, 0, 0, 0]);
      expect(await pass()).toMatchObject({ last_error: "1 transaction could not be stored." });
      for (let hours = 0; hours < 12; hours += 3) {
        wait(3 * 3600);
        await poll();
      }
      expect(await pass()).toEqual({ covered_until: clock.now, last_error: null });
      expect(await due.balances()).toEqual([0, 600, 0, 0]);
    },
  );

  test.each(["40001", "40P01", "57014", "23505", "23503"])(
    "R1 a sale that the database refuses with %s, which may pass, is asked for until it is stored",
    async (code) => {
      await poll();
      const { sale, balances } = await sold({ purchasedAt: clock.now });
      list(sale);
      await sql`
        create function refuse_for_test() returns trigger language plpgsql as
          ${sql.raw(`$$ begin raise exception 'for the test' using errcode = '${code}'; end $$`)};
        create trigger refuse_for_test before insert on network_transactions for each row execute function refuse_for_test()`.execute(
        db,
      );
      const covered = (await pass()).covered_until;
      try {
        for (let days = 0; days < 40; days += 10) {
          wait(10 * 86_400);
          await poll();
        }
        expect(await pass()).toEqual({ covered_until: covered, last_error: "1 transaction could not be stored." });
      } finally {
        await sql`drop function refuse_for_test cascade`.execute(db);
      }
      wait(60);
      await poll();
      expect(await balances()).toEqual([600, 0, 0, 0]);
      expect(await pass()).toEqual({ covered_until: clock.now, last_error: null });
    },
  );

  /** Approved sales that nothing but the payment pass reads again, and which the report no longer lists. */
  async function unpaid(count: number) {
    const sales = await Promise.all(
      Array.from({ length: count }, () =>
        sold({ status: "approved", purchasedAt: new Date("2026-08-01T12:00:00Z"), validatedAt: clock.now }),
      ),
    );
    for (const { sale } of sales) list(sale);
    await poll();
    report.rows.clear();
    wait(2 * 3600);
    await poll(); // from here on no other pass reaches back to the approval
    wait(2 * 3600);
    return sales;
  }

  test("C2 sales that the network leaves out hold up the payment of no other, however many there are", async () => {
    await unpaid(100);
    const [paid] = await unpaid(1);
    list({ ...paid!.sale, paidToPublisher: true });
    for (let round = 0; round < 3; round += 1) {
      await poll();
      wait(60);
    }
    expect(await paid!.balances()).toEqual([0, 0, 600, 0]);
  });

  test("R1 a network that is asked for each sale by itself is asked for all in turn, whatever its limit of calls and one that always fails", async () => {
    const sales = await unpaid(30);
    const [broken, ...others] = sales;
    for (const { sale } of sales) list({ ...sale, paidToPublisher: true });
    report.splitIds = (ids) => ids.map((id) => [id]);
    report.failsFor = (id) => id === broken!.sale.networkTransactionId;
    for (let round = 0; round < 30; round += 1) {
      report.calls = 20;
      report.callCost = 1;
      await poll();
      expect(report.calls).toBeGreaterThanOrEqual(6); // those reserved for pushes
      wait(60);
    }
    for (const { balances } of others) expect(await balances()).toEqual([0, 0, 600, 0]);
    expect(await broken!.balances()).toEqual([0, 600, 0, 0]);
  });

  test("C2 a pass is read by one process at a time, and polling reserves calls for confirming pushes", async () => {
    await Promise.all([poll(), poll(), poll()]);
    expect(report.asked.sort()).toEqual(["amendment", "transaction", "validation"]);
    report.calls = 6;
    wait(60);
    await poll();
    expect(report.asked).toHaveLength(3);
  });
});
