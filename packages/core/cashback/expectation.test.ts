import { describe, expect, test } from "vitest";
import {
  EXPECTATION_WORDS,
  expectationOf,
  isRevision,
  NETWORK_DEFAULTS,
  overdueFrom,
  shrink,
  type ExpectationFacts,
} from "./expectation.ts";

const DAY = 86_400_000;
const purchasedAt = new Date("2026-10-01T10:00:00Z");
const after = (days: number, since = purchasedAt) => new Date(since.getTime() + days * DAY);
const facts = (changes: Partial<ExpectationFacts> = {}): ExpectationFacts => ({
  state: "tracked",
  purchasedAt,
  confirmedAt: null,
  tracking: { confirmsWithinDays: { min: 35, max: 75 }, confirmsAfter: "purchase" },
  locksAt: null,
  networkSlug: "awin",
  retailer: null,
  network: null,
  ...changes,
});
const timing = (sample: number, p50Days: number, p90Days: number) => ({ sample, p50Days, p90Days });

describe("C3 when the next step is expected", () => {
  test("C3 without a history a member is told what the retailer promised at the click", () => {
    expect(expectationOf(facts())).toEqual({
      awaits: "confirmation",
      range: { from: after(35), to: after(75) },
      reason: "promised",
    });
  });

  test("C3 a long history of the retailer decides, a short one is drawn to what is usual on the network", () => {
    const range = (sample: number) => expectationOf(facts({ retailer: timing(sample, 10, 20) })).range;
    // Awin's default is 30 to 67 days, and weighs as much as 30 purchases.
    expect(range(4)).toEqual({ from: after(35), to: after(75) });
    expect(range(5)).toEqual({ from: after(27), to: after(60) });
    expect(range(30)).toEqual({ from: after(20), to: after(44) });
    expect(range(3_000)).toEqual({ from: after(10), to: after(20) });
    expect(expectationOf(facts({ retailer: timing(5, 10, 20) })).reason).toBe("history");
  });

  test("C3 what is usual on a network is drawn from its default to its own history", () => {
    expect(shrink(timing(4, 1, 2), NETWORK_DEFAULTS["awin"]!.confirmation)).toEqual({ p50Days: 30, p90Days: 67 });
    expect(shrink(timing(30, 40, 77), NETWORK_DEFAULTS["awin"]!.confirmation)).toEqual({ p50Days: 35, p90Days: 72 });
    const slow = facts({ retailer: timing(5, 10, 20), network: timing(30, 90, 127) });
    expect(expectationOf(slow).range).toEqual({ from: after(53), to: after(86) });
  });

  test.each([
    ["Rakuten's calendar is its default", "rakuten", { from: after(53), to: after(59) }],
    ["an unknown network has the cautious default", "sixth", { from: after(40), to: after(80) }],
    ["a name of an object's own property is no network", "constructor", { from: after(40), to: after(80) }],
  ])("C3 %s", (_, networkSlug, range) => {
    expect(expectationOf(facts({ networkSlug, retailer: timing(5, 10, 20) })).range).toEqual(range);
  });

  test("C3 the day on which the network closes a sale ends the range, two days for the report added", () => {
    expect(expectationOf(facts({ locksAt: after(50), retailer: timing(400, 60, 90) }))).toEqual({
      awaits: "confirmation",
      range: { from: after(50), to: after(52) },
      reason: "network_date",
    });
    expect(expectationOf(facts({ locksAt: after(50) })).range).toEqual({ from: after(30), to: after(52) });
  });

  test("C3 a retailer that decides after a journey has no date until its history tells one", () => {
    const tracking = { confirmsWithinDays: { min: 35, max: 75 }, confirmsAfter: "travel" } as const;
    expect(expectationOf(facts({ tracking }))).toEqual({ awaits: "confirmation", range: null, reason: "journey" });
    expect(expectationOf(facts({ tracking, retailer: timing(3_000, 80, 160) })).range).toEqual({
      from: after(80),
      to: after(159),
    });
  });

  test("C3 a confirmed purchase awaits the payment, counted from its confirmation", () => {
    const confirmedAt = after(40);
    expect(expectationOf(facts({ state: "confirmed", confirmedAt, locksAt: after(50) }))).toEqual({
      awaits: "payment",
      range: { from: after(20, confirmedAt), to: after(60, confirmedAt) },
      reason: "confirmed",
    });
  });

  test("C3 a range never ends before it starts, whatever was measured", () => {
    for (const networkSlug of ["awin", "cj", "impact", "other"])
      for (const state of ["tracked", "confirmed"] as const)
        for (const retailer of [null, timing(9, 0, 0), timing(9_999, 400, 401)])
          for (const locksAt of [null, after(-3), after(1), after(500)]) {
            const { range } = expectationOf(facts({ networkSlug, state, retailer, locksAt }));
            expect(range!.to.getTime()).toBeGreaterThanOrEqual(range!.from.getTime());
          }
  });

  test("C3 a range is told again when either end has moved by three days, and when another step is awaited", () => {
    const told = expectationOf(facts());
    const moved = (from: number, to: number) => ({ ...told, range: { from: after(from), to: after(to) } });
    expect([moved(35, 75), moved(37, 77), moved(38, 75), moved(35, 72)].map((next) => isRevision(told, next))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(isRevision(null, told)).toBe(true);
    expect(isRevision(told, { ...told, awaits: "payment" })).toBe(true);
    expect(isRevision(told, { ...told, range: null })).toBe(true);
    expect(isRevision({ ...told, range: null }, { ...told, range: null })).toBe(false);
  });

  test("C3 a purchase is overdue a day after its range, and never without one", () => {
    expect(overdueFrom({ range: { from: after(1), to: after(9) } })).toEqual(after(10));
    expect(overdueFrom({ range: null })).toBeNull();
  });

  test("C3 every reason for a date is a sentence", () => {
    for (const words of Object.values(EXPECTATION_WORDS)) expect(words).toMatch(/^[A-Z].+\.$/);
  });
});
