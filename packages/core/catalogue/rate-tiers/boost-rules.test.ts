import { describe, expect, test } from "vitest";
import { rateAt } from "../rates.ts";
import {
  boostFaults,
  boostState,
  boostText,
  lossInWords,
  lossOf,
  settledStart,
  withoutEffect,
  type BoostableTier,
  type KnownBoost,
} from "./boost-rules.ts";

const NOW = new Date("2026-12-04T12:00:00Z");
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const boost = (id: string, bp: number, from: number, to: number): KnownBoost => ({
  ...{ id, memberRateBp: bp, memberRatePence: null, startsAt: at(from), endsAt: at(to) },
});
const tier = (changes: Partial<BoostableTier> = {}): BoostableTier => ({
  ...{ label: "Everything", basis: "on the price", rateKind: "percent", capPence: null, boosts: [] },
  ...{ memberRateBp: 600, memberRatePence: null, networkRateBp: 800, networkRatePence: null },
  ...changes,
});
const fixed = tier({
  ...{ rateKind: "fixed", memberRateBp: null, memberRatePence: 2500, networkRateBp: null, networkRatePence: 3000 },
});
const faultsOf = (value: number, from: number, to: number, of = tier(), changes: KnownBoost | null = null) =>
  boostFaults(of, { value, startsAt: at(from), endsAt: at(to) }, { now: NOW, changes });

describe("C5 A2 what an operator may set as a boost", () => {
  test("C5 a boost is above the usual rate, or it is refused with that rate", () => {
    expect(faultsOf(601, 0, 1)).toEqual({});
    expect(faultsOf(600, 0, 1)).toEqual({
      rate: "must be above the usual rate of 6%: at or below it a boost has no effect",
    });
    expect(faultsOf(2500, 0, 1, fixed).rate).toContain("the usual rate of £25:");
    expect(faultsOf(2501, 0, 1, fixed)).toEqual({});
    const allowed = tier({ boosts: [boost("a", 601, 0, 1)] });
    expect(rateAt(allowed, NOW)).toMatchObject({ rateBp: 601, boostedUntil: at(1) });
  });

  test("C5 it ends after its start, in the future, and does not start in the past", () => {
    expect(faultsOf(700, 2, 2)).toEqual({ endsAt: "must be after the start" });
    expect(faultsOf(700, 2, 1)).toEqual({ endsAt: "must be after the start" });
    expect(faultsOf(700, -2, 0)).toEqual({
      ...{ startsAt: "has passed. Leave it empty to start at once", endsAt: "must be in the future" },
    });
    expect(faultsOf(700, 0, 1)).toEqual({});
  });

  test("A2 one that runs keeps its start; an end in the past is refused", () => {
    const running = boost("a", 700, -5, 5);
    expect(faultsOf(800, -5, 9, tier({ boosts: [running] }), running)).toEqual({});
    expect(faultsOf(800, -5, -1, tier({ boosts: [running] }), running)).toEqual({ endsAt: "must be in the future" });
    const known = tier({ boosts: [running, boost("b", 900, -4, -1), boost("c", 900, 6, 8)] });
    expect(faultsOf(800, -5, 6, known, running), "one that is over is in nobody's way").toEqual({});
    expect(faultsOf(800, -5, 7, known, running).endsAt).toContain("would overlap the boost of 9%");
    const toCome = boost("a", 700, 1, 5);
    expect(faultsOf(800, -1, 5, tier({ boosts: [toCome] }), toCome)).toHaveProperty("startsAt");
  });

  test("C5 two boosts of a rate never hold at once: the other's rate and dates are named; one may follow another", () => {
    const known = tier({ boosts: [boost("a", 700, 10, 20), boost("b", 900, 30, 40)] });
    for (const [from, to] of [
      [10, 20],
      [5, 11],
      [19, 25],
      [12, 13],
      [5, 25],
    ] as const)
      expect(faultsOf(800, from, to, known)).toEqual({
        startsAt:
          "would overlap the boost of 7% from 4 Dec 2026, 22:00 to 5 Dec 2026, 08:00. Only one boost of a rate holds at a time: choose other dates, or change or end that one first",
      });
    expect(faultsOf(800, 20, 30, known)).toEqual({});
    expect(faultsOf(800, 10, 30, known, known.boosts[0])).toEqual({});
    expect(faultsOf(800, 10, 31, known, known.boosts[0]).startsAt).toContain("of 9% from");
    const running = tier({ boosts: [boost("a", 700, -1, 20), boost("b", 900, 30, 40)] });
    expect(faultsOf(800, -1, 31, running, running.boosts[0])).toEqual({
      endsAt: expect.stringContaining("would overlap the boost of 9% from"),
    });
  });

  test("A2 an empty start, and one that passed while the form was filled in, is now", () => {
    expect(settledStart(null, NOW)).toEqual(NOW);
    expect(settledStart(at(-0.25), NOW)).toEqual(NOW);
    expect(settledStart(at(-0.26), NOW)).toEqual(at(-0.26));
    expect(settledStart(at(1), NOW)).toEqual(at(1));
  });

  test("C5 what a boost costs above the network's commission is named per £100, or per purchase", () => {
    expect([lossOf(tier(), 800), lossOf(tier(), 801), lossOf(tier(), 1200)]).toEqual([null, 1, 400]);
    expect([lossOf(fixed, 3000), lossOf(fixed, 3050)]).toEqual([null, 50]);
    expect(lossOf(tier({ networkRateBp: null }), 700), "unknown: nothing").toBe(700);
    expect(lossInWords(tier(), 1200, 400)).toBe(
      "The network pays 8%, and members would get 12%: the club loses £4.00 of its own money on every £100 that counts.",
    );
    expect(lossInWords(fixed, 3050, 50)).toContain(
      "The network pays £30, and members would get £30.50: the club loses £0.50 of its own money on every purchase.",
    );
    expect(lossInWords(tier({ networkRateBp: null }), 700, 700)).toContain("pays an unknown share");
  });

  test("C5 a boost runs from its start to before its end; one that an import has overtaken has no effect", () => {
    expect(
      [boost("a", 700, 1, 2), boost("a", 700, 0, 1), boost("a", 700, -1, 0)].map((each) => boostState(each, NOW)),
    ).toEqual(["to come", "running", "over"]);
    expect(withoutEffect(tier(), boost("a", 700, 0, 1))).toBeNull();
    expect(withoutEffect(tier({ memberRateBp: 700 }), boost("a", 700, 0, 1))).toBe("the usual rate is 7% now");
    expect(withoutEffect(fixed, boost("a", 700, 0, 1))).toBe("the rate is in pounds now");
    expect(boostText({ ...boost("a", 0, 0, 1), memberRateBp: null, memberRatePence: 2550 })).toContain(
      "of £25.50 from",
    );
  });
});
