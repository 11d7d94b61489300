import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createEventRecorder, EventRecorderBusyError } from "./event-recorder.server.ts";
import { listDays, openDays } from "./days.server.ts";
import { storedEvents, telemetryEvent } from "./telemetry.testing.ts";

const { db } = await testDatabase();
const brandId = "0190b0a0-0000-7000-8000-000000000001";
const otherBrandId = "0190b0a0-0000-7000-8000-000000000002";
const now = new Date("2026-11-20T10:00:00.123Z");

const subjects = async () => (await storedEvents(db)).map(({ subject }) => subject);
const clear = () => sql`truncate telemetry_events`.execute(db);

describe("T3 recording of events", () => {
  test("T3 an event is in the table when its promise resolves, with the server's time and the brand", async () => {
    const recorder = createEventRecorder({ db, now: () => now });
    const odd = `quote " backslash \\ comma , brace { } NULL Ünï 🥾`;
    const events = [
      telemetryEvent("RetailerPage", odd, {
        pageLoadedAt: new Date("2026-11-20T09:59:58.765Z"),
        extraFields: JSON.stringify({ odd }),
      }),
      telemetryEvent("SearchPage", "", { userId: "NULL", sessionId: "null" }),
    ];
    expect(await recorder.record({ brandId, events })).toEqual([]);
    expect(await storedEvents(db)).toMatchObject([
      { subject: "", user_id: "NULL", session_id: "null", page_loaded_at: null, extra_fields: null },
      {
        subject: odd,
        user_id: null,
        page_loaded_at: new Date("2026-11-20T09:59:58.765Z"),
        extra_fields: { odd },
        brand_id: brandId,
        received_at: now,
        received_on: "2026-11-20",
      },
    ]);
    await recorder.close();
    await clear();
  });

  test("T3 events that arrive together share a commit, and each caller is answered for its own", async () => {
    const recorder = createEventRecorder({ db, now: () => now, maxWriters: 1 });
    const all = Array.from({ length: 200 }, (_, index) =>
      recorder.record({ brandId, events: [telemetryEvent("OfferPage", `o${index}`)] }),
    );
    await Promise.all(all);
    const { rows } = await sql<{ commits: number; events: number }>`
      select count(distinct recorded_in)::int as commits, count(*)::int as events from telemetry_events`.execute(db);
    expect(rows).toEqual([{ commits: 1, events: 200 }]);
    await recorder.close();
    await clear();
  });

  test("T3 an event that the database refuses harms no neighbour, in its batch or another", async () => {
    const recorder = createEventRecorder({ db, now: () => now });
    const bad = (subject: string) => ({ ...telemetryEvent("OfferPage", subject), eventType: "Unknown" as "OfferPage" });
    const [first, second, third] = await Promise.all([
      recorder.record({
        brandId,
        events: [telemetryEvent("OfferPage", "a"), bad("b"), telemetryEvent("OfferPage", "c"), bad("d")],
      }),
      recorder.record({ brandId, events: [telemetryEvent("OfferPage", "e")] }),
      recorder.record({ brandId, events: [bad("f")] }),
    ]);
    expect([first, second, third]).toEqual([[1, 3], [], [0]]);
    expect(await subjects()).toEqual(["a", "c", "e"]);
    await recorder.close();
    await clear();
  });

  test("T3 the sender's own id is stored once: sent again, twice in one batch, after midnight; at another brand it is another event", async () => {
    let at = new Date("2026-11-20T23:59:59.999Z");
    const recorder = createEventRecorder({ db, now: () => at });
    const once = telemetryEvent("OfferRedeemed", "x", { eventId: "e".repeat(16) });
    await recorder.record({ brandId, events: [once, once] });
    await recorder.record({ brandId, events: [once, telemetryEvent("OfferRedeemed", "neighbour")] });
    at = new Date("2026-11-21T00:00:00Z");
    await recorder.record({ brandId, events: [once] });
    expect(await subjects()).toEqual(["neighbour", "x"]);
    await recorder.record({ brandId: otherBrandId, events: [once] });
    await recorder.record({
      brandId,
      events: [
        { ...once, eventId: "f".repeat(16) },
        { ...once, eventId: null },
        { ...once, eventId: null },
      ],
    });
    expect(await subjects()).toEqual(["neighbour", "x", "x", "x", "x", "x"]);
    await recorder.close();
    await clear();
  });

  test("T3 a day that nobody made is made by the first event of it, also when many ask at once", async () => {
    const at = new Date("2031-02-28T12:00:00Z");
    const recorders = Array.from({ length: 4 }, () => createEventRecorder({ db, now: () => at }));
    await Promise.all(
      recorders.map((recorder) => recorder.record({ brandId, events: [telemetryEvent("OfferPage", "o")] })),
    );
    expect(await subjects()).toEqual(["o", "o", "o", "o"]);
    expect((await listDays(db)).filter(({ day }) => day === "2031-02-28")).toHaveLength(1);
    expect(await openDays(db, { from: "2031-02-27", days: 3 })).toEqual(["2031-02-27", "2031-03-01"]);
    await clear();
  });

  test("T3 more than can be written soon is refused at once, and nothing that was accepted is lost", async () => {
    const recorder = createEventRecorder({ db, now: () => now, maxWaiting: 10 });
    const ten = Array.from({ length: 10 }, (_, index) => telemetryEvent("OfferPage", `o${index}`));
    const accepted = recorder.record({ brandId, events: ten });
    await expect(recorder.record({ brandId, events: [telemetryEvent("OfferPage", "late")] })).rejects.toThrow(
      EventRecorderBusyError,
    );
    await accepted;
    await recorder.record({ brandId, events: [telemetryEvent("OfferPage", "again")] });
    expect(await subjects()).toHaveLength(11);
    await clear();
  });

  test("T3 closing waits for what was accepted, and takes nothing more", async () => {
    const recorder = createEventRecorder({ db, now: () => now });
    const accepted = recorder.record({ brandId, events: [telemetryEvent("OfferPage", "o")] });
    await recorder.close();
    expect(await accepted).toEqual([]);
    await expect(recorder.record({ brandId, events: [telemetryEvent("OfferPage", "late")] })).rejects.toThrow(/closed/);
    expect(await subjects()).toEqual(["o"]);
    await clear();
  });
});
