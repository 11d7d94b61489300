import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { BuriedWork, ClaimOptions, FailedState, Lease } from "./due-work.server.ts";

/** A queue, as the contract drives it. */
export interface QueueUnderTest {
  name: string;
  table: string;
  /** Adds one piece of work that is due at `at`. */
  add(at: Date): Promise<unknown>;
  /** Removes all work. */
  clear(): Promise<unknown>;
  claim(options: ClaimOptions): Promise<Lease[]>;
  queue: {
    fail(db: Db, lease: Lease, failed: { now: Date; error: string; isPermanent?: boolean }): Promise<FailedState>;
    release(db: Db, lease: Lease, options: { until: Date; error?: string }): Promise<boolean>;
    nextDue(db: Db): Promise<Date | null>;
    countOpen(db: Db): Promise<number>;
    listBuried(db: Db, options: { max: number }): Promise<BuriedWork[]>;
  };
  /** Writes that the work is done. Null: work of this queue is closed by something else. */
  settle: ((lease: Lease) => Promise<boolean>) | null;
  /** Infinity: work of this queue is never given up. */
  maxAttempts: number;
}

const START = new Date("2026-11-20T12:00:00Z");
const LEASE_MS = 60_000;

/** Why a queue is exempt from a promise; the test's report shows it. */
const SETTLED_ELSEWHERE = "work of this queue is closed by something else, not by its worker";
const GIVEN_UP_IN_THE_END = "work of this queue is given up after its last attempt";
const NEVER_GIVEN_UP = "work of this queue is never given up";

const after = (ms: number, from = START) => new Date(from.getTime() + ms);

/** What every queue of due work promises. */
export function dueWorkContract(
  db: Db,
  { name, table, add, clear, claim, queue, settle, maxAttempts }: QueueUnderTest,
): void {
  const take = (now: Date, max = 10) => claim({ now, leaseMs: LEASE_MS, max });
  const addMany = async (count: number, at = START) => {
    for (let added = 0; added < count; added += 1) await add(at);
  };
  const rows = async () => (await sql`select * from ${sql.table(table)} order by 1`.execute(db)).rows;
  const isBuriedInTheEnd = Number.isFinite(maxAttempts);

  describe(`due work: ${name}`, () => {
    beforeEach(async () => void (await clear()));

    test("R2 workers that claim at once never hold the same work", async () => {
      await addMany(40);
      const worker = async () => {
        const held: Lease[] = [];
        for (;;) {
          const leases = await take(START, 3);
          if (leases.length === 0) return held;
          held.push(...leases);
        }
      };
      const held = (await Promise.all([worker(), worker(), worker(), worker()])).flat().map(({ id }) => id);
      expect({ leases: held.length, work: new Set(held).size }).toEqual({ leases: 40, work: 40 });
    });

    test("R2 a claim skips work that another claim has locked, without waiting for it", async () => {
      await addMany(3);
      await db.transaction().execute(async (trx) => {
        await sql`select * from ${sql.table(table)} for no key update`.execute(trx);
        expect(await take(START)).toEqual([]);
      });
      expect(await take(START)).toHaveLength(3);
    });

    test("R1 work is due at its moment and not before", async () => {
      await add(START);
      expect(await take(after(-1))).toEqual([]);
      expect(await take(START)).toMatchObject([{ attempts: 1, until: after(LEASE_MS) }]);
    });

    test("R1 work whose lease ends is due again, to one worker", async () => {
      await add(START);
      await take(START);
      expect(await take(after(LEASE_MS - 1))).toEqual([]);
      const again = await take(after(LEASE_MS));
      expect(again).toMatchObject([{ attempts: 2, until: after(2 * LEASE_MS) }]);
      expect(await take(after(LEASE_MS))).toEqual([]);
    });

    test("R2 a worker whose lease has ended changes nothing, whether or not another worker has the work", async () => {
      await add(START);
      const [late] = await take(START);
      await take(after(LEASE_MS));
      const before = await rows();
      const now = after(LEASE_MS + 1);
      expect({
        failed: await queue.fail(db, late!, { now, error: "late" }),
        gaveUp: isBuriedInTheEnd && (await queue.fail(db, late!, { now, error: "late", isPermanent: true })),
        released: await queue.release(db, late!, { until: now }),
        settled: (await settle?.(late!)) ?? false,
      }).toEqual({ failed: "lost", gaveUp: isBuriedInTheEnd && "lost", released: false, settled: false });
      expect(await rows()).toEqual(before);
    });

    test("R1 released work is due when the worker says, and the attempt does not count", async () => {
      await add(START);
      for (let stopped = 0; stopped < 20; stopped += 1) {
        const [held] = await take(after(stopped));
        expect(held).toMatchObject({ attempts: 1 });
        expect(await queue.release(db, held!, { until: after(stopped + 1) })).toBe(true);
        expect(await take(after(stopped))).toEqual([]);
      }
    });

    test("R1 work that fails is due again, never sooner than the time before", async () => {
      await add(START);
      let now = START;
      let lastWait = 0;
      for (let attempt = 1; attempt < Math.min(maxAttempts, 12); attempt += 1) {
        const [held] = await take(now);
        expect(held).toMatchObject({ attempts: attempt });
        expect(await queue.fail(db, held!, { now, error: `failure ${attempt}` })).toBe("waiting");
        const due = await queue.nextDue(db);
        const wait = due!.getTime() - now.getTime();
        expect(wait).toBeGreaterThanOrEqual(Math.max(lastWait, 1_000));
        expect(await take(after(wait - 1, now))).toEqual([]);
        lastWait = wait;
        now = due!;
      }
    });

    test("R1 work that always fails does not delay other work", async () => {
      await addMany(6);
      const [poison] = await take(START, 1);
      await queue.fail(db, poison!, { now: START, error: "poison" });
      const others = new Set<string>();
      for (let claimed = 0; claimed < 5; claimed += 1) others.add((await take(START, 1))[0]!.id);
      expect({ others: others.size, hasPoison: others.has(poison!.id) }).toEqual({ others: 5, hasPoison: false });
    });

    test("R1 work that ends its worker does not delay other work, and leased work is counted as open", async () => {
      await addMany(3);
      const ids = [];
      for (let restart = 0; restart < 3; restart += 1) ids.push((await take(after(restart), 1))[0]!.id);
      expect({ work: new Set(ids).size, open: await queue.countOpen(db) }).toEqual({ work: 3, open: 3 });
    });

    test("R1 the next moment is known while work waits or is leased", async () => {
      expect(await queue.nextDue(db)).toBeNull();
      await add(after(5_000));
      const [held] = await take(after(5_000));
      expect(await queue.nextDue(db)).toEqual(held!.until);
    });

    test("R1 work that is done is never due again", async ({ skip }) => {
      skip(!settle, SETTLED_ELSEWHERE);
      await addMany(2);
      const [done, other] = await take(START);
      expect(await settle!(done!)).toBe(true);
      expect(await settle!(done!)).toBe(false);
      expect((await take(after(86_400_000))).map(({ id }) => id)).toEqual([other!.id]);
      expect(await queue.listBuried(db, { max: 10 })).toEqual([]);
    });

    test("R1 work that is never given up is retried for ever, at least every half hour", async ({ skip }) => {
      skip(isBuriedInTheEnd, GIVEN_UP_IN_THE_END);
      await add(START);
      let now = START;
      for (let attempt = 1; attempt <= 40; attempt += 1) {
        const [held] = await take(now);
        expect(await queue.fail(db, held!, { now, error: "down" })).toBe("waiting");
        const due = (await queue.nextDue(db))!;
        expect(due.getTime() - now.getTime()).toBeLessThanOrEqual(30 * 60_000);
        now = due;
      }
      expect(await queue.listBuried(db, { max: 10 })).toEqual([]);
    });

    test("R1 work is buried at its last failure, where operators see it, and is never due again", async ({ skip }) => {
      skip(!isBuriedInTheEnd, NEVER_GIVEN_UP);
      await add(START);
      let now = START;
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const [held] = await take(now);
        const state = await queue.fail(db, held!, { now, error: `failure ${attempt}` });
        expect(state).toBe(attempt === maxAttempts ? "buried" : "waiting");
        now = (await queue.nextDue(db)) ?? now;
      }
      expect(await queue.listBuried(db, { max: 10 })).toEqual([
        { id: expect.any(String) as string, attempts: maxAttempts, lastError: `failure ${maxAttempts}` },
      ]);
      expect({ claimed: await take(after(400 * 86_400_000)), open: await queue.countOpen(db) }).toEqual({
        claimed: [],
        open: 0,
      });
    });

    test("R1 work that can't succeed is buried at once", async ({ skip }) => {
      skip(!isBuriedInTheEnd, NEVER_GIVEN_UP);
      await add(START);
      const [held] = await take(START);
      expect(await queue.fail(db, held!, { now: START, error: "refused", isPermanent: true })).toBe("buried");
      expect(await queue.listBuried(db, { max: 10 })).toMatchObject([{ attempts: 1, lastError: "refused" }]);
    });

    test("R1 work that ends every worker is buried after twice its attempts", async ({ skip }) => {
      skip(!isBuriedInTheEnd, NEVER_GIVEN_UP);
      await add(START);
      for (let attempt = 1; attempt <= 2 * maxAttempts; attempt += 1)
        expect(await take(after(attempt * LEASE_MS))).toMatchObject([{ attempts: attempt }]);
      expect(await take(after((2 * maxAttempts + 1) * LEASE_MS))).toEqual([]);
      expect(await queue.listBuried(db, { max: 10 })).toMatchObject([
        { lastError: expect.stringMatching(/No attempt was settled/) as string },
      ]);
    });

    test("R1 work that ends its worker is isolated, and its batch gets done", async ({ skip }) => {
      skip(!isBuriedInTheEnd, NEVER_GIVEN_UP);
      await addMany(3);
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1)
        expect(await take(after(attempt * LEASE_MS))).toHaveLength(3);
      const now = after((maxAttempts + 1) * LEASE_MS);
      const [poison, ...more] = await take(now);
      expect(more).toEqual([]);
      for (const _ of ["second", "third"]) {
        const [alone, ...rest] = await take(now);
        expect({ rest, isPoison: alone!.id === poison!.id }).toEqual({ rest: [], isPoison: false });
        expect(await settle!(alone!)).toBe(true);
      }
      expect({ claimed: await take(now), open: await queue.countOpen(db) }).toEqual({ claimed: [], open: 1 });
    });
  });
}
