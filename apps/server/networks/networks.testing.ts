import { makeClick, makeClub, reportedSale, type ClubForTests } from "@farthing/core/cashback/cashback.testing.ts";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { NetworkUnavailableError, type NetworkProvider } from "@farthing/core/networks/provider.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import type { testDatabase } from "@farthing/db/testing/test-database.ts";
import { createAwinProvider } from "@farthing/providers/affiliates/awin/awin-provider.ts";
import { beforeAll, beforeEach } from "vitest";
import { confirmDuePushes } from "./confirm-pushes.ts";
import { networkWebhooks } from "./network-webhooks.ts";
import { pollReports } from "./poll-reports.ts";

export const PUSH_SECRET = "a-long-secret-of-the-network";
const logger = { info() {}, warn() {}, error() {} };

/** Awin's adapter for pushes and passes, with a report that the test fills. */
export class Report implements NetworkProvider {
  rows = new Map<string, ReportedTransaction>();
  /** Ids of rows that are malformed. */
  spoiled = new Set<string>();
  isDown = false;
  calls = 20;
  callCost = 0;
  asked: string[] = [];
  /** Splits ids as a network does that is asked for each by itself; undefined: one call asks for all. */
  splitIds?: (ids: readonly string[]) => string[][];
  /** Windows that are not answered. */
  fails: (pass: string, from: Date, to: Date) => boolean = () => false;
  /** Ids that are not answered. */
  failsFor: (id: string) => boolean = () => false;
  readonly #awin = createAwinProvider({
    publisherId: "1",
    apiToken: "",
    apiUrl: "http://127.0.0.1:9",
    clickUrl: "http://network.test/",
  });
  readonly slug = "awin";
  passes = this.#awin.passes;
  readonly linkOrigins = this.#awin.linkOrigins;
  readonly buildLink = this.#awin.buildLink;
  readonly readPush = this.#awin.readPush;
  readonly readReportFile = this.#awin.readReportFile;
  readonly now: () => Date;
  constructor(now: () => Date) {
    this.now = now;
  }
  reset() {
    this.passes = this.#awin.passes;
    this.rows.clear();
    this.spoiled.clear();
    this.isDown = false;
    this.calls = 20;
    this.callCost = 0;
    this.asked = [];
    delete this.splitIds;
    this.fails = () => false;
    this.failsFor = () => false;
  }
  callsLeft = () => this.calls;
  async fetchTransactionsById(ids: readonly string[]) {
    if (ids.length > 0) this.asked.push(`ids ${ids.length}`);
    this.calls -= this.callCost;
    if (ids.some(this.failsFor)) throw new NetworkUnavailableError("this id fails for the test");
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
      transactions: whole!.map((row) => ({ ...row, observedAt: this.now() })),
      unreadable: spoiled!.map(({ networkTransactionId }) => `Awin transaction ${networkTransactionId}: it is spoiled`),
    };
  }
}

/**
 * Returns a network whose report the test fills, with what receives its pushes and reads its report, and a clock that the test moves. Before each test
 * the report and what was read of it are empty, and the clock is at noon on 2 October 2026.
 */
export function testNetwork({ db, pool }: Pick<Awaited<ReturnType<typeof testDatabase>>, "db" | "pool">) {
  const clock = { now: new Date(0) };
  const now = () => clock.now;
  const report = new Report(now);
  const networks = createNetworkRegistry([report]);
  let home: ClubForTests;
  beforeAll(async () => {
    home = await makeClub(db);
  });
  beforeEach(async () => {
    clock.now = new Date("2026-10-02T12:00:00Z");
    report.reset();
    await pool.query("delete from network_events; delete from network_passes");
  });
  const webhooks = networkWebhooks({ db, networks, pushSecrets: { awin: PUSH_SECRET }, now });
  return {
    report,
    networks,
    clock,
    now,
    logger,
    webhooks,
    async send(
      body: string,
      { secret = PUSH_SECRET, network = "awin", type = "application/x-www-form-urlencoded", method = "POST" } = {},
    ) {
      return webhooks.request(
        `http://club.test/webhooks/${network}/${secret}${method === "GET" ? `?${body}` : ""}`,
        method === "POST" ? { method, body, headers: { "content-type": type } } : { method },
      );
    },
    events: () =>
      db
        .selectFrom("network_events")
        .select(["status", "network_transaction_id", "attempts", "last_error"])
        .orderBy("received_at")
        .orderBy("id")
        .execute(),
    confirm: () => confirmDuePushes({ db, networks, now, logger }),
    poll: () => pollReports({ db, networks, now, logger, pollSeconds: { awin: 10 } }),
    wait(seconds: number) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
    /** Returns a sale of a new member, which the report does not list yet, and what reads that member's balances. */
    async sold(changes: Partial<ReportedTransaction> = {}) {
      const club = { ...home, memberId: (await insertVerifiedMember(db, { brandId: home.brandId })).id };
      const sale = reportedSale(club, await makeClick(db, club), changes);
      return {
        sale,
        balances: async () =>
          Object.values((await findCashbackTimeline(db, { memberId: club.memberId, now: now() })).balances),
      };
    },
    list: (sale: ReportedTransaction) => report.rows.set(sale.networkTransactionId, sale),
  };
}

/** Returns the body of a push with these fields. */
export const push = (fields: object) => new URLSearchParams({ AwinTransactionPush: JSON.stringify(fields) }).toString();

/** Returns the body of a push of a sale. Its amount is not the report's. */
export const pushOf = (sale: ReportedTransaction, more: object = {}) =>
  push({
    transactionId: Number(sale.networkTransactionId),
    transactionAmount: "999.00",
    clickRef: sale.clickReference,
    ...more,
  });
