import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import {
  eraseTelemetryOf,
  requestErasure,
  telemetryUserIds,
  eraseRequested,
  finishErasures,
} from "./erasures.server.ts";
import { exportBatch } from "./exporter.server.ts";
import type { ExportBatch, TelemetrySink } from "./sink.ts";
import { recordEvents, storedEvents, telemetryEvent, untilEnded } from "./telemetry.testing.ts";

const { db } = await testDatabase();
const now = new Date("2026-10-05T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const { id: brandId } = await insertBrand(db);

/** A copy that keeps what it is sent, and can fail before or after it has stored a batch. */
function memorySink() {
  const batches: ExportBatch[] = [];
  const sink = {
    name: "memory",
    batches,
    fails: null as "before" | "after" | null,
    erased: [] as string[],
    open: async () => {},
    async write(batch: ExportBatch) {
      if (sink.fails === "before") throw new Error("refused");
      batches.push(batch);
      if (sink.fails === "after") throw new Error("no answer");
    },
    erase: async (userIds: readonly string[]) => void sink.erased.push(...userIds),
    dropBefore: async () => {},
  } satisfies TelemetrySink & Record<string, unknown>;
  return sink;
}

const record = (...subjects: string[]) =>
  recordEvents(
    db,
    brandId,
    subjects.map((subject) => telemetryEvent("OfferPage", subject)),
    now,
  );
const subjectsOf = ({ events }: ExportBatch) => events.map(({ subject }) => subject).toSorted();

beforeEach(async () => {
  await sql`truncate telemetry_events`.execute(db);
  await sql`truncate telemetry_exports`.execute(db);
});

describe("T3 copying to another database", () => {
  test("T3 goes batch by batch, each event once, until nothing is new", async () => {
    const sink = memorySink();
    await record("a1", "a2", "a3");
    await record("b1", "b2");
    await record("c1", "c2", "c3", "c4");
    await untilEnded(db);
    const step = () => exportBatch(db, sink, { now, maxRows: 5 });
    expect(await step()).toEqual({ outcome: "sent", events: 5 });
    // One transaction is never cut, however large.
    expect(await exportBatch(db, sink, { now, maxRows: 2 })).toEqual({ outcome: "sent", events: 4 });
    expect(await step()).toEqual({ outcome: "current" });
    expect(sink.batches.map(subjectsOf)).toEqual([
      ["a1", "a2", "a3", "b1", "b2"],
      ["c1", "c2", "c3", "c4"],
    ]);
    expect(sink.batches[0]?.events[0]).toMatchObject({
      receivedOn: "2026-10-05",
      day: "2026-10-05",
      receivedAt: now.getTime(),
      brandId,
      pageLoadedAt: null,
    });
    await record("d1");
    await untilEnded(db);
    expect(await step()).toEqual({ outcome: "sent", events: 1 });
  });

  test.each(["before", "after"] as const)(
    "T3 a batch that failed %s it was stored is sent again, the same, whatever came since",
    async (when) => {
      const sink = memorySink();
      await record("a1", "a2");
      await untilEnded(db);
      sink.fails = when;
      await expect(exportBatch(db, sink, { now })).rejects.toThrow(/refused|no answer/);
      expect(await db.selectFrom("telemetry_exports").select("last_error").executeTakeFirst()).toEqual({
        last_error: when === "before" ? "refused" : "no answer",
      });
      await record("b1");
      await untilEnded(db);
      sink.fails = null;
      await exportBatch(db, sink, { now });
      const [first, again] = when === "before" ? [sink.batches[0], sink.batches[0]] : sink.batches;
      expect(again).toEqual(first);
      expect(subjectsOf(again!)).toEqual(["a1", "a2"]);
      await exportBatch(db, sink, { now });
      expect(subjectsOf(sink.batches.at(-1)!)).toEqual(["b1"]);
    },
  );

  test("T3 one process copies at a time, and another goes on when its lease is over", async () => {
    const sink = memorySink();
    await record("a1");
    await untilEnded(db);
    let release = () => {};
    const stuck = { ...sink, write: () => new Promise<void>((resolve) => (release = resolve)) };
    const first = exportBatch(db, stuck, { now });
    while (!(await db.selectFrom("telemetry_exports").select("batch_rows").executeTakeFirst())?.batch_rows)
      await sql`select pg_sleep(0.005)`.execute(db);
    expect(await exportBatch(db, sink, { now: later(1) })).toEqual({ outcome: "busy" });
    expect(await exportBatch(db, sink, { now: later(2) })).toEqual({ outcome: "sent", events: 1 });
    await record("b1");
    await untilEnded(db);
    expect(await exportBatch(db, sink, { now: later(3) })).toEqual({ outcome: "sent", events: 1 });
    release();
    await first;
    expect(await exportBatch(db, sink, { now: later(4) }), "the late one moves nothing back").toEqual({
      outcome: "current",
    });
    expect(sink.batches.map(subjectsOf)).toEqual([["a1"], ["b1"]]);
  });

  test("T3 events of an open transaction wait, and none is left out", async () => {
    const sink = memorySink();
    await record("day made");
    await db.transaction().execute(async (slow) => {
      await recordEvents(slow, brandId, [telemetryEvent("OfferPage", "slow")], now);
      await record("fast");
      for (let round = 0; round < 3; round++) await exportBatch(db, sink, { now });
    });
    await untilEnded(db);
    await exportBatch(db, sink, { now });
    expect(sink.batches.flatMap(subjectsOf).toSorted()).toEqual(["day made", "fast", "slow"]);
  });
});

describe("M5 erasing a member's telemetry", () => {
  const keys = ["key", "old key"] as const;
  const workErasures = async (sink: TelemetrySink | null) => {
    await eraseRequested(db, { keys, now });
    return finishErasures(db, { keys, sink, now, keptDays: 90 });
  };
  /** Copies everything that was written before. */
  const exportAll = async (sink: TelemetrySink) => {
    await untilEnded(db);
    await sql`select pg_current_xact_id()`.execute(db);
    await untilEnded(db);
    await exportBatch(db, sink, { now });
  };

  test("M5 takes the events of all pseudonyms of this member at this brand, on every day, and nobody else's", async () => {
    const member = { brandId, memberId: "0190b0a0-0000-7000-8000-000000000003" };
    const [current = "", old = ""] = telemetryUserIds([...keys], member);
    const [other = ""] = telemetryUserIds([...keys], { ...member, memberId: "0190b0a0-0000-7000-8000-000000000004" });
    const view = (subject: string, userId: string | null) => telemetryEvent("OfferPage", subject, { userId });
    await recordEvents(db, brandId, [view("mine", current), view("other's", other), view("visitor's", null)], now);
    await recordEvents(db, brandId, [view("mine, earlier", old)], new Date("2026-10-01T12:00:00Z"));
    const { id: otherBrandId } = await insertBrand(db);
    await recordEvents(db, otherBrandId, [view("elsewhere", current)], now);
    expect(await eraseTelemetryOf(db, { brandId, userIds: [current, old] })).toBe(2);
    expect((await storedEvents(db)).map(({ subject }) => subject)).toEqual(["elsewhere", "other's", "visitor's"]);
  });

  test("M5 a member who left is erased by the worker: here at once, in the copy when everything before has arrived there", async () => {
    const { id: memberId } = await insertVerifiedMember(db, { brandId });
    const [userId = ""] = telemetryUserIds([...keys], { brandId, memberId });
    await recordEvents(db, brandId, [telemetryEvent("OfferPage", "mine", { userId })], now);
    await db.transaction().execute((trx) => requestErasure(trx, { brandId, memberId, now }));
    const sink = memorySink();
    expect(await workErasures(sink), "the copy has not begun").toBe(0);
    expect(await storedEvents(db)).toEqual([]);
    expect(sink.erased).toEqual([]);
    await exportAll(sink);
    expect(await workErasures(sink)).toBe(1);
    expect(sink.erased).toEqual(telemetryUserIds([...keys], { brandId, memberId }));
    expect(await workErasures(sink)).toBe(0);
    await db.transaction().execute((trx) => requestErasure(trx, { brandId, memberId, now }));
    expect(await workErasures(null), "without a copy").toBe(1);
  });

  test("M5 events go from here at once for everybody, however many wait for the copy, and one that it refuses holds up no other", async () => {
    const memberIds = Array.from({ length: 130 }, () => newId());
    const userIdOf = (memberId: string) => telemetryUserIds(keys, { brandId, memberId })[0]!;
    const views = memberIds.map((id, at) => telemetryEvent("OfferPage", `of ${at}`, { userId: userIdOf(id) }));
    await recordEvents(db, brandId, views, now);
    const ask = async (some: readonly string[]) => {
      for (const memberId of some)
        await db.transaction().execute((trx) => requestErasure(trx, { brandId, memberId, now }));
    };
    const sink = memorySink();
    await ask(memberIds.slice(0, 129));
    expect(await workErasures(sink), "the copy has not begun").toBe(0);
    await ask(memberIds.slice(129));
    expect(await workErasures(sink)).toBe(0);
    expect(await storedEvents(db)).toEqual([]);
    await exportAll(sink);
    const refused = userIdOf(memberIds[0]!);
    const refusing = {
      ...sink,
      erase: async (userIds: readonly string[]) => {
        if (userIds.includes(refused)) throw new Error("refused");
        await sink.erase(userIds);
      },
    };
    await expect(workErasures(refusing)).rejects.toThrow("1 failed and 129 were done.");
    expect(sink.erased).toHaveLength(129 * keys.length);
    expect(await workErasures(sink)).toBe(1);
  });
});
