import { makeClick, makeClub, reportedSale, type ClubForTests } from "@farthing/core/cashback/cashback.testing.ts";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { EVENT_TRANSITIONS } from "@farthing/core/networks/events.server.ts";
import { NetworkUnavailableError, type NetworkProvider } from "@farthing/core/networks/provider.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createAwinProvider } from "@farthing/providers/affiliates/awin/awin-provider.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { confirmDuePushes } from "./confirm-pushes.ts";
import { startNetworkJobs } from "./network-jobs.ts";
import { pollReports } from "./poll-reports.ts";
import { networkWebhooks } from "./network-webhooks.ts";

const { db, pool } = await testDatabase();
const SECRET = "a-long-secret-of-the-network";
const logger = { info() {}, warn() {}, error() {} };
let home: ClubForTests;
let clock: Date;
const now = () => clock;

/** Awin's adapter for pushes and passes, with a report that the test fills. */
class Report implements NetworkProvider {
  rows = new Map<string, ReportedTransaction>();
  /** Ids of rows that are malformed. */
  spoiled = new Set<string>();
  isDown = false;
  calls = 20;
  callCost = 0;
  asked: string[] = [];
  /** Windows that are not answered. */
  fails: (pass: string, from: Date, to: Date) => boolean = () => false;
  readonly #awin = createAwinProvider({
    publisherId: "1",
    apiToken: "",
    apiUrl: "http://127.0.0.1:9",
    clickUrl: "http://network.test/",
  });
  readonly slug = "awin";
  readonly passes = this.#awin.passes;
  readonly linkOrigins = this.#awin.linkOrigins;
  readonly buildLink = this.#awin.buildLink;
  readonly readPush = this.#awin.readPush;
  callsLeft = () => this.calls;
  async fetchTransactionsById(ids: readonly string[]) {
    if (ids.length > 0) this.asked.push(`ids ${ids.length}`);
    return this.#answer((row) => ids.includes(row.networkTransactionId));
  }
  async *fetchTransactions({ pass, from, to }: { pass: string; from: Date; to: Date }) {
    this.asked.push(pass);
    this.calls -= this.callCost;
    if (this.fails(pass, from, to)) throw new NetworkUnavailableError("this window fails for the test");
    const dateOf = (row: ReportedTransaction) =>
      pass === "transaction" ? row.purchasedAt : pass === "validation" ? row.validatedAt : null;
    yield {
      ...this.#answer((row) => Boolean(dateOf(row) && dateOf(row)! >= from && dateOf(row)! <= to)),
      coveredUntil: to,
    };
  }
  #answer(wanted: (row: ReportedTransaction) => boolean) {
    if (this.isDown) throw new NetworkUnavailableError("down for the test");
    const [spoiled, whole] = [true, false].map((isSpoiled) =>
      [...this.rows.values()].filter((row) => wanted(row) && this.spoiled.has(row.networkTransactionId) === isSpoiled),
    );
    return {
      transactions: whole!.map((row) => ({ ...row, observedAt: now() })),
      unreadable: spoiled!.map(({ networkTransactionId }) => `Awin transaction ${networkTransactionId}: it is spoiled`),
    };
  }
}

let report: Report;
let networks: ReturnType<typeof createNetworkRegistry>;
beforeAll(async () => {
  home = await makeClub(db);
});
beforeEach(async () => {
  clock = new Date("2026-10-02T12:00:00Z");
  report = new Report();
  networks = createNetworkRegistry([report]);
  await pool.query("delete from network_events; delete from network_passes");
});

const send = async (
  body: string,
  { secret = SECRET, network = "awin", type = "application/x-www-form-urlencoded", method = "POST" } = {},
) =>
  networkWebhooks({ db, networks, pushSecrets: { awin: SECRET }, now }).request(
    `http://club.test/webhooks/${network}/${secret}${method === "GET" ? `?${body}` : ""}`,
    {
      method,
      ...(method === "POST" ? { body, headers: { "content-type": type } } : {}),
    },
  );
const push = (fields: object) => new URLSearchParams({ AwinTransactionPush: JSON.stringify(fields) }).toString();
const pushOf = (sale: ReportedTransaction, more: object = {}) =>
  push({
    transactionId: Number(sale.networkTransactionId),
    transactionAmount: "999.00",
    clickRef: sale.clickReference,
    ...more,
  });
const events = () =>
  db
    .selectFrom("network_events")
    .select(["status", "network_transaction_id", "attempts", "last_error"])
    .orderBy("received_at")
    .orderBy("id")
    .execute();
const confirm = () => confirmDuePushes({ db, networks, now, logger });
const poll = () => pollReports({ db, networks, now, logger, pollSeconds: { awin: 10 } });
const wait = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000);
};
async function sold(changes: Partial<ReportedTransaction> = {}) {
  const club = { ...home, memberId: (await insertVerifiedMember(db, { brandId: home.brandId })).id };
  const sale = reportedSale(club, await makeClick(db, club), changes);
  return {
    sale,
    balances: async () =>
      Object.values((await findCashbackTimeline(db, { memberId: club.memberId, now: now() })).balances),
  };
}
const list = (sale: ReportedTransaction) => report.rows.set(sale.networkTransactionId, sale);

describe("C2 receiving a push", () => {
  test.each([
    ["a wrong secret", { secret: "wrong" }],
    ["a longer secret", { secret: `${SECRET}x` }],
    ["another network", { network: "cj" }],
    ["an object's own words", { network: "constructor" }],
  ])("S1 %s is 404, and nothing is stored", async (_, options) => {
    const response = await send(push({ transactionId: 1 }), options);
    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
      status: 404,
      type: "application/problem+json",
    });
    expect(await events()).toEqual([]);
  });

  test("S2 a body beyond the limit is refused, also without Content-Length", async () => {
    expect((await send("x".repeat(70_000))).status).toBe(413);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(30_000).fill(120)) });
    const app = networkWebhooks({ db, networks, pushSecrets: { awin: SECRET }, now });
    expect(
      (
        await app.request(`http://club.test/webhooks/awin/${SECRET}`, {
          method: "POST",
          body: endless,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          duplex: "half",
        } as RequestInit)
      ).status,
    ).toBe(413);
    expect((await send("x".repeat(70_000), { method: "GET" })).status).toBe(414);
    expect(await events()).toEqual([]);
  });

  test("C2 a push is stored unchanged before it is answered, and a copy changes nothing", async () => {
    const { sale } = await sold();
    const body = pushOf(sale);
    const answers = await Promise.all([send(body), send(body), send(body)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const kept = await db.selectFrom("network_events").select(["raw", "status"]).execute();
    expect(kept.map(({ raw, status }) => [raw.toString(), status])).toEqual([[body, "received"]]);
  });

  test.each([
    ["no JSON", "AwinTransactionPush={"],
    ["nothing", ""],
    ["no id", "AwinTransactionPush=%7B%7D"],
    ["NUL bytes", "AwinTransactionPush=%00%00"],
    ["an id that is not a number", push({ transactionId: "1; drop table" })],
  ])("S2 %s is stored as unreadable and answered", async (_, body) => {
    expect((await send(body)).status).toBe(200);
    expect(await events()).toMatchObject([{ status: "unreadable", network_transaction_id: null }]);
    expect(await confirm()).toBe(0);
  });

  test("C2 the GET form works too", async () => {
    expect((await send("transactionId=123&clickRef=abc", { method: "GET" })).status).toBe(200);
    expect(await events()).toMatchObject([{ status: "received", network_transaction_id: "123" }]);
  });
});

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
    list({ ...sale, status: "approved", validatedAt: clock, modifiedAt: clock });
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
    list({ ...sale, status: "declined", reason: "returned", validatedAt: clock, modifiedAt: clock });
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
    const { sale, balances } = await sold({ purchasedAt: clock });
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
      if (round === 4) list({ ...sale, validatedAt: clock, modifiedAt: clock });
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
    list({ ...spoiled.sale, purchasedAt: new Date(clock.getTime() - 3 * 3_600_000) });
    list({ ...whole.sale, purchasedAt: new Date(clock.getTime() - 2 * 3_600_000) });
    report.spoiled.add(spoiled.sale.networkTransactionId);
    await poll();
    expect([await spoiled.balances(), await whole.balances()]).toEqual([
      [0, 0, 0, 0],
      [600, 0, 0, 0],
    ]);
    const pass = () =>
      db
        .selectFrom("network_passes")
        .select(["covered_until", "last_error"])
        .where("pass", "=", "transaction")
        .executeTakeFirstOrThrow();
    expect(await pass()).toMatchObject({ last_error: "1 row could not be read." });

    report.spoiled.clear();
    wait(10);
    await poll();
    expect(await spoiled.balances()).toEqual([600, 0, 0, 0]);
    expect(await pass()).toEqual({ covered_until: clock, last_error: null });

    list({ ...next.sale, purchasedAt: clock });
    report.spoiled.add(next.sale.networkTransactionId);
    for (let hours = 0; hours < 12; hours += 3) {
      wait(3 * 3600);
      await poll();
    }
    expect(await pass()).toEqual({ covered_until: clock, last_error: null });
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

describe("C2 the workers", () => {
  test("C2 a running worker confirms a push as soon as it arrives, and closes cleanly", async () => {
    clock = new Date();
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
