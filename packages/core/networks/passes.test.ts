import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { findReadUntil } from "./queries.server.ts";
import { NETWORKS_READ_UNTIL } from "./read-until.ts";
import {
  claimPass,
  finishLateLook,
  finishPass,
  orderPasses,
  type PollPass,
  type WindowResult,
} from "./passes.server.ts";

const { db } = await testDatabase();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONTH = 31 * DAY;
const at = (ms: number) => new Date(NOW.getTime() + ms);
const claim = async (networkId: string, now: Date, everyMs = 5 * 60_000) =>
  claimPass(db, { networkId, pass: "transaction", now, everyMs });

/** A pass of a new network, driven by hand: times are milliseconds after NOW. */
async function newNetworkPass() {
  const { id: networkId } = await insertNetwork(db);
  const pass = "transaction" as const;
  return {
    networkId,
    claim: async (ms: number) => claim(networkId, at(ms), 1),
    finish: async (result: WindowResult) => finishPass(db, { networkId, pass, result }),
    finishLate: async (beganAt: Date, result: WindowResult, ms: number) =>
      finishLateLook(db, { networkId, pass, beganAt, result, now: at(ms) }),
    /** Claims the pass and reads both windows. */
    async readAll(ms: number) {
      const claimed = (await claim(networkId, at(ms), 1))!;
      await this.finish({ coveredUntil: claimed.recent.to });
      if (claimed.late) await this.finishLate(claimed.late.beganAt, { coveredUntil: claimed.late.to }, ms);
      return claimed;
    },
  };
}

test("C2 a pass is due exactly when its interval has passed", async () => {
  const { id } = await insertNetwork(db);
  expect(await claim(id, NOW)).not.toBeNull();
  expect(await claim(id, at(5 * 60_000 - 1))).toBeNull();
  expect(await claim(id, at(5 * 60_000))).not.toBeNull();
  expect(await claim(id, at(5 * 60_000))).toBeNull();
});

test("C2 one of eight concurrent processes reads a pass, at first and later", async () => {
  const { id } = await insertNetwork(db);
  for (const now of [NOW, at(DAY)]) {
    const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(id, now)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
  }
});

describe("C2 what is read follows from what was covered", () => {
  test("C2 a pass reads a month at first, then from an hour before the end of what is covered; a failed window is read again", async () => {
    const pass = await newNetworkPass();
    expect(await pass.claim(0)).toEqual({ recent: { from: at(-MONTH - HOUR), to: NOW }, late: null });
    await pass.finish({ problem: "no answer" });
    expect((await pass.claim(1))!.recent).toEqual({ from: at(-MONTH - HOUR), to: at(1) });
    await pass.finish({ problem: "no answer", coveredUntil: at(-DAY) });
    expect((await pass.claim(2))!.recent).toEqual({ from: at(-DAY - HOUR), to: at(2) });
    await pass.finish({ coveredUntil: at(2) });
    expect(await pass.claim(3)).toEqual({ recent: { from: at(2 - HOUR), to: at(3) }, late: null });
  });

  test("C2 once a day it looks for sales that were reported late, back to a month before the last look", async () => {
    const pass = await newNetworkPass();
    await pass.readAll(0);
    const midnight = Math.ceil(NOW.getTime() / DAY) * DAY - NOW.getTime();
    expect((await pass.readAll(midnight - 1)).late).toBeNull();
    const { late } = await pass.readAll(midnight);
    expect(late).toEqual({ from: at(-MONTH - HOUR), to: at(midnight - 1 - HOUR), beganAt: at(midnight) });
    expect((await pass.readAll(midnight + 1)).late).toBeNull();
    const next = await pass.readAll(midnight + DAY);
    expect(next.late!.from).toEqual(at(midnight - MONTH - HOUR));
  });

  test("C2 a failed look is repeated the same day, an hour later, and from where it stopped at once", async () => {
    const pass = await newNetworkPass();
    await pass.readAll(0);
    const first = (await pass.claim(DAY))!;
    await pass.finish({ coveredUntil: first.recent.to });
    await pass.finishLate(first.late!.beganAt, { problem: "no answer" }, DAY);
    expect((await pass.claim(DAY + HOUR - 1))!.late).toBeNull();
    const second = (await pass.claim(DAY + HOUR))!;
    expect(second.late).toMatchObject({ from: first.late!.from, beganAt: at(DAY) });
    await pass.finishLate(at(DAY), { problem: "no answer", coveredUntil: at(-9 * DAY) }, DAY + HOUR);
    expect((await pass.claim(DAY + HOUR + 1))!.late).toMatchObject({ from: at(-9 * DAY - HOUR), beganAt: at(DAY) });
    // The page that fails again: the pages of the overlap before it are no progress.
    await pass.finishLate(at(DAY), { problem: "no answer", coveredUntil: at(-9 * DAY) }, DAY + HOUR + 1);
    expect((await pass.claim(DAY + HOUR + 2))!.late).toBeNull();
    const last = (await pass.claim(DAY + 2 * HOUR + 1))!;
    await pass.finishLate(at(DAY), { coveredUntil: last.late!.to }, DAY + 2 * HOUR + 1);
    // The next look is judged by when this one began: what was reported under old dates since then is read again.
    expect((await pass.claim(3 * DAY))!.late!.from).toEqual(at(DAY - MONTH - HOUR));
  });

  test("C2 a process that ends after the claim loses neither the recent sales nor the look of the day", async () => {
    const pass = await newNetworkPass();
    await pass.readAll(0);
    const lost = (await pass.claim(DAY))!;
    const next = (await pass.claim(DAY + 1))!;
    expect(next.recent.from).toEqual(lost.recent.from);
    expect(next.late).toMatchObject({ from: lost.late!.from, beganAt: at(DAY) });
  });

  test("C2 after an outage of ten days, the look reaches a month back from the last one that was whole", async () => {
    const pass = await newNetworkPass();
    await pass.readAll(0);
    await pass.readAll(DAY);
    for (let day = 2; day < 12; day += 1) {
      const claimed = (await pass.claim(day * DAY))!;
      await pass.finish({ problem: "down" });
      await pass.finishLate(claimed.late!.beganAt, { problem: "down" }, day * DAY);
    }
    const { recent, late } = await pass.readAll(12 * DAY);
    expect(recent.from).toEqual(at(DAY - HOUR));
    expect(late).toEqual({ from: at(DAY - MONTH - HOUR), to: at(DAY - HOUR), beganAt: at(2 * DAY) });
  });

  test("C2 what is covered does not shrink when two processes end in the other order, and a look ends once", async () => {
    const pass = await newNetworkPass();
    await pass.readAll(0);
    const [slow, fast] = [(await pass.claim(DAY))!, (await pass.claim(DAY + 1))!];
    await pass.finish({ coveredUntil: fast.recent.to });
    await pass.finishLate(fast.late!.beganAt, { coveredUntil: fast.late!.to }, DAY + 1);
    await pass.finish({ coveredUntil: slow.recent.to });
    await pass.finishLate(slow.late!.beganAt, { problem: "slow and broken" }, DAY + 2);
    const { late_error } = await db
      .selectFrom("network_passes")
      .select("late_error")
      .where("network_id", "=", pass.networkId)
      .executeTakeFirstOrThrow();
    expect(late_error).toBeNull();
    const next = (await pass.claim(DAY + 3))!;
    expect(next).toEqual({ recent: { from: at(DAY + 1 - HOUR), to: at(DAY + 3) }, late: null });
  });

  test("C2 a clock that was ahead for a while blocks nothing and hides no sales", async () => {
    const pass = await newNetworkPass();
    await pass.readAll(0);
    await pass.readAll(9 * DAY);
    const right = await pass.readAll(1);
    expect(right.recent).toEqual({ from: at(1 - HOUR), to: at(1) });
    expect((await pass.claim(DAY))!.late!.from).toEqual(at(1 - MONTH - HOUR));
  });

  test("C2 a pass from before this was recorded reads everything that a look could have missed", async () => {
    const pass = await newNetworkPass();
    await db
      .insertInto("network_passes")
      .values({ network_id: pass.networkId, pass: "transaction", covered_until: at(-HOUR), ran_at: at(-HOUR) })
      .execute();
    expect((await pass.readAll(0)).late).toEqual({
      from: at(-MONTH - 2 * HOUR),
      to: at(-2 * HOUR),
      beganAt: NOW,
    });
  });

  test("C2 the payment pass has no late sales", async () => {
    const { id: networkId } = await insertNetwork(db);
    for (const now of [NOW, at(2 * DAY)])
      expect(await claimPass(db, { networkId, pass: "payment", now, everyMs: 1 })).toMatchObject({ late: null });
  });
});

test("C2 any sale that is reported within a month is read, whatever fails between", async () => {
  const days = (max: number) => fc.integer({ min: 0, max: max * 24 }).map((hours) => hours * HOUR);
  const sale = fc.record({ madeAt: days(40), delay: fc.oneof(days(1), days(31)) });
  /** Hours until a run; what becomes of each window: read, failed at a share of it, or the process has ended. */
  const fate = fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 0.99, noNaN: true }));
  const run = fc.record({ after: fc.oneof(days(1), days(12)), recent: fate, late: fate, dies: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(sale, { minLength: 1, maxLength: 12 }),
      fc.array(run, { maxLength: 25 }),
      async (sales, runs) => {
        const pass = await newNetworkPass();
        const seen = new Set<number>();
        let clock = 0;
        const read = ({ from, to }: { from: Date; to: Date }, share: number): WindowResult => {
          const until = new Date(from.getTime() + Math.floor((to.getTime() - from.getTime()) * share));
          for (const [index, { madeAt, delay }] of sales.entries())
            if (madeAt + delay <= clock && at(madeAt) >= from && at(madeAt) <= until) seen.add(index);
          return share === 1 ? { coveredUntil: to } : { problem: "failed", coveredUntil: share === 0 ? null : until };
        };
        const doRun = async (step: { recent: number; late: number; dies: boolean }) => {
          const { recent, late } = (await pass.claim(clock))!;
          const results = [read(recent, step.recent), late && read(late, step.late)] as const;
          if (step.dies) return;
          await pass.finish(results[0]);
          if (late && results[1]) await pass.finishLate(late.beganAt, results[1], clock);
        };
        await doRun({ recent: 1, late: 1, dies: false });
        for (const step of runs) {
          clock += step.after + 1;
          await doRun(step);
        }
        // When the network works again, two days of whole runs find all.
        clock = Math.max(clock, 72 * DAY);
        for (let i = 0; i < 3; i += 1) {
          clock += DAY;
          await doRun({ recent: 1, late: 1, dies: false });
        }
        expect([...seen].sort((a, b) => a - b)).toEqual(sales.map((_, index) => index));
      },
    ),
    { numRuns: 60 },
  );
});

test("C2 the pass that ran longest ago comes first, and one that has never run before all others", async () => {
  const { id: networkId } = await insertNetwork(db);
  await claimPass(db, { networkId, pass: "transaction", now: at(2), everyMs: 1 });
  await claimPass(db, { networkId, pass: "payment", now: at(1), everyMs: 1 });
  expect(await orderPasses(db, { networkId, passes: ["transaction", "amendment", "payment"] })).toEqual([
    ...["amendment", "payment", "transaction"],
  ]);
});

describe("C2 what is said of a network goes by the report that is furthest behind", () => {
  const MINUTE = 60_000;
  const POLL = 10 * MINUTE;
  let behind = 0;
  async function networkOf(passes: [PollPass, (ms: number) => WindowResult][]) {
    const slug = `behind-${(behind += 1)}`;
    const { id: networkId } = await insertNetwork(db, { slug });
    return {
      /** Polls each pass at a moment. */
      async poll(ms: number) {
        for (const [pass, read] of passes) {
          const named = { networkId, pass };
          if (await claimPass(db, { ...named, now: at(ms), everyMs: POLL }))
            await finishPass(db, { ...named, result: read(ms) });
        }
      },
      networkId,
      said: async () => (await findReadUntil(db)).get(slug),
    };
  }
  const works = (ms: number) => ({ coveredUntil: at(ms) });
  const fails = () => ({ problem: "The key was refused." });

  test("C2 a payment report that is read does not hide sales that are not", async () => {
    let isRevoked = false;
    const network = await networkOf([
      ["transaction", (ms) => (isRevoked ? fails() : works(ms))],
      ["payment", works],
    ]);
    await network.poll(0);
    isRevoked = true;
    await network.poll(DAY);
    expect(await network.said()).toEqual({ until: NOW, isRead: true });
    isRevoked = false;
    await network.poll(2 * DAY);
    expect(await network.said()).toEqual({ until: at(2 * DAY), isRead: true });
  });

  test("C2 a network that was never asked says nothing; one that was never read counts from its first try", async () => {
    const network = await networkOf([
      ["transaction", fails],
      ["payment", works],
    ]);
    expect(await network.said()).toBeUndefined();
    await network.poll(0);
    await network.poll(DAY);
    expect(await network.said()).toEqual({ until: NOW, isRead: false });
  });

  test("C2 a report that is not asked for any more while others are does not count after a day", async () => {
    const network = await networkOf([["payment", works]]);
    await claim(network.networkId, NOW);
    await network.poll(DAY - 1);
    expect(await network.said()).toMatchObject({ until: NOW });
    await network.poll(2 * DAY);
    expect(await network.said()).toEqual({ until: at(2 * DAY), isRead: true });
  });

  test("C2 a look for late sales that fails counts from when it was due", async () => {
    const pass = await newNetworkPass();
    const said = async () =>
      (
        await sql<{ until: Date }>`select until from (${sql.raw(NETWORKS_READ_UNTIL)}) read
          where network_id = ${pass.networkId}`.execute(db)
      ).rows[0]?.until;
    await pass.readAll(0);
    for (const ms of [2 * DAY, 4 * DAY]) {
      const claimed = (await pass.claim(ms))!;
      await pass.finish({ coveredUntil: at(ms) });
      await pass.finishLate(claimed.late!.beganAt, { problem: "no answer" }, ms);
    }
    expect(await said()).toEqual(at(DAY));
    await pass.readAll(5 * DAY);
    expect(await said()).toEqual(at(5 * DAY));
  });
});
