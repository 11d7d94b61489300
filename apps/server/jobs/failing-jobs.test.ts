import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "@farthing/db/client.ts";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startBackfills } from "../process/backfill-jobs.ts";
import { startRetention } from "../process/retention.ts";
import { startSweeping } from "../process/sweeping.ts";
import { allOf, allSteps } from "./all-steps.ts";
import { startCashbackJobs } from "../cashback/cashback-jobs.ts";
import { startClaimJobs } from "../claims/claim-jobs.ts";
import { startClockWatch } from "./clock-watch.ts";
import { startClosureJobs } from "../closures/closure-jobs.ts";
import { startGiftCardJobs } from "../gift-cards/gift-card-jobs.ts";
import { startMailJobs } from "../mails/mail-jobs.ts";
import { startMembershipJobs } from "../verification-requests/membership-jobs.ts";
import { startNetworkJobs } from "../networks/network-jobs.ts";
import { startDisputeJobs } from "../payments/dispute-jobs.ts";
import { startFeeJobs } from "../payments/fee-jobs.ts";
import { startPaymentJobs } from "../payments/payment-jobs.ts";
import { startReferralJobs } from "../referrals/referral-jobs.ts";
import { startRetailerJobs } from "../alerts/retailer-jobs.ts";
import { startIndexJobs } from "../search/index-jobs.ts";
import { startTelemetryJobs } from "../telemetry/telemetry-jobs.ts";
import { startWebhookJobs } from "../partners/webhook-jobs.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that answers its first `good` queries with no rows, and then fails. */
function failingDatabase(good: number) {
  const asked = { count: 0 };
  const connection = {
    async executeQuery() {
      asked.count += 1;
      if (asked.count > good) throw Object.assign(new Error("terminating connection"), { code: "57P01" });
      return { rows: [] };
    },
    // oxlint-disable-next-line require-yield -- it always throws
    async *streamQuery() {
      throw new Error("terminating connection");
    },
  };
  class Driver extends DummyDriver {
    override async acquireConnection() {
      return connection as never;
    }
  }
  const db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }) as unknown as Db;
  const pool = {
    connect: async () => {
      asked.count += 1;
      throw new Error("connect ECONNREFUSED");
    },
  } as unknown as Pool;
  return { db, pool, asked };
}

type Parts = ReturnType<typeof failingDatabase> & { logger: { info(): void; warn(): void; error(): void } };
const never = async () => {
  throw new Error("not called in this test");
};

/** Every job of the role worker, by the function that starts it. */
const jobs: Record<string, (parts: Parts) => () => Promise<unknown>> = {
  startBackfills: (parts) => startBackfills({ ...parts, read: async () => [{ name: "0000_any.sql", sql: "" }] }).close,
  startCashbackJobs: (parts) => startCashbackJobs({ ...parts, unsubscribeKeys: ["key"] }).close,
  startClaimJobs: (parts) =>
    startClaimJobs({ ...parts, networks: { all: [], get: () => undefined } as never, unsubscribeKeys: ["key"] }).close,
  startClosureJobs: (parts) => startClosureJobs(parts).close,
  startDisputeJobs: (parts) => startDisputeJobs({ ...parts, cards: { live: null, test: null } }).close,
  startFeeJobs: (parts) => startFeeJobs({ ...parts, cards: { live: null, test: null } }).close,
  startGiftCardJobs: (parts) =>
    startGiftCardJobs({
      ...parts,
      issuers: new Map(),
      cards: { live: null, test: null },
      keys: ["key"],
      unsubscribeKeys: ["key"],
      now: () => new Date(),
    }).close,
  startIndexJobs: (parts) => startIndexJobs(parts).close,
  startMailJobs: (parts) =>
    startMailJobs({
      ...parts,
      mailCountSecret: "secret",
      sender: { atOnce: 3, send: never, close: () => {} } as never,
      originOf: (host) => `http://${host}`,
    }).close,
  startMembershipJobs: (parts) => startMembershipJobs(parts).close,
  startNetworkJobs: (parts) =>
    startNetworkJobs({
      ...parts,
      pollSeconds: { awin: 30 },
      networks: { all: [{ slug: "awin", passes: ["recent"], callsLeft: () => 20 }], get: () => undefined } as never,
    }).close,
  startPaymentJobs: (parts) =>
    startPaymentJobs({ ...parts, cards: { findPayment: never, cancelPayment: never } as never }).close,
  startReferralJobs: (parts) => startReferralJobs({ ...parts, unsubscribeKeys: ["key"] }).close,
  startRetailerJobs: (parts) => startRetailerJobs(parts).close,
  startTelemetryJobs: (parts) => startTelemetryJobs({ ...parts, sink: null, keys: ["key"], keptDays: 30 }).close,
  startWebhookJobs: (parts) => startWebhookJobs({ ...parts, webhookKey: "key", allowPrivate: true }).close,
  startClockWatch: (parts) => startClockWatch(parts).close,
  startRetention: (parts) => startRetention(parts).close,
  startSweeping: (parts) => startSweeping(parts).close,
};

describe("R1 jobs while the database is away", () => {
  test("R1 every job is in this test", () => {
    const folder = join(import.meta.dirname, "..");
    const started = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /-(jobs|watch)\.ts$/.test(file) && !file.startsWith("node_modules"))
      .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/export function (start\w+)/g)])
      .map(([, name]) => name ?? "");
    expect([...started, "startRetention", "startSweeping"].sort()).toEqual(Object.keys(jobs).sort());
  });

  test.each(Object.keys(jobs))("R1 %s logs a failure of any of its queries, continues, and backs off", async (name) => {
    for (const good of [0, 1, 2, 3, 5, 8, 13]) {
      const errors: unknown[] = [];
      const logger = { info: () => {}, warn: () => {}, error: (...line: unknown[]) => void errors.push(line) };
      const database = failingDatabase(good);
      const close = jobs[name]!({ ...database, logger });
      await vi.advanceTimersByTimeAsync(30_000);
      const early = database.asked.count;
      await vi.advanceTimersByTimeAsync(15 * 60_000);
      const late = database.asked.count - early;
      expect(errors.length, `logs it after ${good} queries`).toBeGreaterThan(0);
      expect(late, `tries again after ${good} queries`).toBeGreaterThan(0);
      // At most four loops, each failing once a minute, with a dozen queries each.
      expect(late, `waits after ${good} queries`).toBeLessThan(15 * 4 * 15);
      const closed = close();
      await vi.advanceTimersByTimeAsync(120_000);
      await closed;
    }
  });
});

describe("R1 the steps of a job", () => {
  test("R1 a step that always fails is reported and does not delay the others", async () => {
    const done: string[] = [];
    const step = (name: string) => async () => done.push(name);
    const fail = (text: string) => () => Promise.reject(new Error(text));
    await expect(allSteps([step("a"), fail("poisoned"), step("b")])).rejects.toThrow("poisoned");
    await expect(
      allSteps([
        fail("one"),
        step("c"),
        () => {
          throw new Error("two");
        },
        step("d"),
      ]),
    ).rejects.toMatchObject({ errors: [{ message: "one" }, { message: "two" }] });
    expect(done).toEqual(["a", "b", "c", "d"]);
  });

  test("R1 parallel work is awaited completely before a failure is reported", async () => {
    let isDone = false;
    const slow = new Promise<void>((resolve) => setTimeout(() => ((isDone = true), resolve()), 1_000));
    const failure = expect(allOf([Promise.reject(new Error("first")), slow])).rejects.toThrow("first");
    await vi.advanceTimersByTimeAsync(1_000);
    await failure;
    expect(isDone).toBe(true);
  });
});
