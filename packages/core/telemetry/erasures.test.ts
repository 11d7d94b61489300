import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { eraseRequested, finishErasures, repeatErasures, requestErasure, telemetryUserIds } from "./erasures.server.ts";
import { exportBatch } from "./exporter.server.ts";
import type { TelemetrySink } from "./sink.ts";
import { recordEvents, storedEvents, telemetryEvent, untilEnded } from "./telemetry.testing.ts";

const { db } = await testDatabase();
const { id: brandId } = await insertBrand(db);
const { id: otherBrandId } = await insertBrand(db);
const keys = ["key", "old key"] as const;
const keptDays = 30;
const HOUR_MS = 3_600_000;
const closed = new Date("2026-10-05T12:00:00Z");
const hoursLater = (hours: number) => new Date(closed.getTime() + hours * HOUR_MS);
const daysLater = (days: number) => hoursLater(days * 24);

/** Says which pseudonyms were erased in the copy. */
const sinkOf = (erased: string[]): TelemetrySink => ({
  name: "memory",
  open: async () => {},
  write: async () => {},
  erase: async (userIds) => void erased.push(...userIds),
  dropBefore: async () => {},
});

/** One round of both jobs. */
async function workErasures(now: Date, sink: TelemetrySink | null = null): Promise<void> {
  await eraseRequested(db, { keys, now });
  await repeatErasures(db, { keys, now, keptDays });
  await finishErasures(db, { keys, sink, now, keptDays });
}

async function close(memberId: string): Promise<readonly [current: string, old: string]> {
  await db.transaction().execute((trx) => requestErasure(trx, { brandId, memberId, now: closed }));
  const [current = "", old = ""] = telemetryUserIds(keys, { brandId, memberId });
  return [current, old];
}

const view = (subject: string, userId: string) => telemetryEvent("OfferPage", subject, { userId });
const subjects = async () => (await storedEvents(db)).map(({ subject }) => subject);
const requests = async () => await db.selectFrom("telemetry_erasures").selectAll().execute();

beforeEach(async () => {
  await sql`truncate telemetry_events, telemetry_exports, telemetry_erasures`.execute(db);
});

describe("M5 events that arrive after the account was closed", () => {
  test("M5 do not stay, whichever pseudonym a page that is still open has, and nobody else's are taken", async () => {
    const [current, old] = await close(newId());
    await workErasures(closed);
    await recordEvents(db, brandId, [view("late", current), view("late, old key", old)], hoursLater(1));
    await recordEvents(db, brandId, [view("somebody's", "somebody")], hoursLater(1));
    await recordEvents(db, otherBrandId, [view("elsewhere", current)], hoursLater(1));
    await workErasures(hoursLater(23));
    expect(await subjects(), "not within the day").toHaveLength(4);
    await workErasures(hoursLater(24));
    expect(await subjects()).toEqual(["elsewhere", "somebody's"]);
    await recordEvents(db, brandId, [view("later still", current)], daysLater(20));
    await workErasures(daysLater(21));
    expect(await subjects()).toEqual(["elsewhere", "somebody's"]);
  });

  test("M5 go however long the worker was away, and from the day on which the last erasure was", async () => {
    const [current] = await close(newId());
    await workErasures(closed);
    for (const hours of [0, 24, 24 * 9]) await recordEvents(db, brandId, [view("late", current)], hoursLater(hours));
    await workErasures(daysLater(10));
    expect(await subjects()).toEqual([]);
  });

  test("M5 are looked for until events of the day of closing have been dropped, then the request is gone", async () => {
    const [current] = await close(newId());
    await workErasures(closed);
    await workErasures(hoursLater(keptDays * 24 - 1));
    expect(await requests()).toHaveLength(1);
    await recordEvents(db, brandId, [view("last", current)], daysLater(keptDays));
    // The last time found something: once more for the copy, which is none here.
    await workErasures(daysLater(keptDays + 1));
    expect(await subjects()).toEqual([]);
    expect(await requests()).toEqual([]);
  });

  test("M5 a request of a member who sent nothing more ends as well", async () => {
    await close(newId());
    for (let day = 0; day <= keptDays; day++) await workErasures(daysLater(day));
    expect(await requests()).toEqual([]);
  });

  test("M5 are erased in the copy, once it has them, and only of those who sent some", async () => {
    const erased: string[] = [];
    const sink = sinkOf(erased);
    const exportAll = async (now: Date) => {
      await untilEnded(db);
      await sql`select pg_current_xact_id()`.execute(db);
      await untilEnded(db);
      await exportBatch(db, sink, { now });
    };
    const sender = await close(newId());
    const silent = await close(newId());
    await workErasures(closed, sink);
    await exportAll(closed);
    await workErasures(closed, sink);
    expect(erased.splice(0).toSorted()).toEqual([...sender, ...silent].toSorted());
    await recordEvents(db, brandId, [view("late", sender[0])], hoursLater(1));
    await workErasures(hoursLater(24), sink);
    expect(await subjects()).toEqual([]);
    expect(erased, "a batch may be on its way").toEqual([]);
    await exportAll(hoursLater(24));
    await workErasures(hoursLater(25), sink);
    expect(erased.splice(0)).toEqual(sender);
    await workErasures(hoursLater(26), sink);
    expect(erased).toEqual([]);
    expect(await requests()).toHaveLength(2);
  });

  test("M5 the copy's answer for an earlier erasure does not end one that was repeated meanwhile", async () => {
    const [current] = await close(newId());
    await eraseRequested(db, { keys, now: closed });
    await db
      .insertInto("telemetry_exports")
      .values({ sink: "memory", exported_below: 2 ** 50 })
      .execute();
    await recordEvents(db, brandId, [view("late", current)], hoursLater(1));
    const slow = {
      ...sinkOf([]),
      erase: async () => void (await repeatErasures(db, { keys, now: daysLater(1), keptDays })),
    };
    await finishErasures(db, { keys, sink: slow, now: daysLater(1), keptDays });
    expect(await subjects()).toEqual([]);
    expect(await requests()).toMatchObject([{ erased_below: expect.any(Number) }]);
  });
});
