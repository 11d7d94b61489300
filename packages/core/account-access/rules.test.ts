import { describe, expect, test } from "vitest";
import { accessComesFrom, accessStates, minutesLeft, standingOf, type AccessState } from "./rules.ts";

const now = new Date("2026-11-20T12:00:00Z");
const after = (ms: number) => new Date(now.getTime() + ms);

const request = (state: AccessState, changed: Partial<Parameters<typeof standingOf>[0]> = {}) => ({
  state,
  lapsesAt: after(1),
  startedAt: null,
  endsAt: null,
  isLive: false,
  ...changed,
});
const running = { startedAt: after(-1), endsAt: after(1), isLive: true };

describe("A3 what a request to act as a member is worth", () => {
  test.each(["asked", "allowed"] as const)("A3 one that is %s lapses at its moment, not before", (state) => {
    expect(standingOf(request(state, { lapsesAt: after(1) }), now)).toBe(state);
    expect(standingOf(request(state, { lapsesAt: now }), now)).toBe("lapsed");
    expect(standingOf(request(state, { lapsesAt: after(-1) }), now)).toBe("lapsed");
  });

  test("A3 a session runs until its moment, and no longer than the operator's own session", () => {
    expect(standingOf(request("running", running), now)).toBe("running");
    expect(standingOf(request("running", { ...running, endsAt: now }), now)).toBe("over");
    expect(standingOf(request("running", { ...running, isLive: false }), now)).toBe("over");
    // It may run past the moment by which it had to start.
    expect(standingOf(request("running", { ...running, lapsesAt: after(-1) }), now)).toBe("running");
  });

  test("A3 one that was ended was looked at, or taken back before", () => {
    expect(standingOf(request("ended", { ...running, isLive: false }), now)).toBe("over");
    expect(standingOf(request("ended"), now)).toBe("withdrawn");
    expect(standingOf(request("refused"), now)).toBe("refused");
  });

  test("A3 every state is reached from “asked”, and none leads out of an answer that is final", () => {
    const reached = new Set<AccessState>(["asked"]);
    for (const _ of accessStates)
      for (const state of accessStates)
        if (accessComesFrom[state].some((from: AccessState) => reached.has(from))) reached.add(state);
    expect([...reached].toSorted()).toEqual(accessStates.toSorted());
    for (const state of accessStates)
      for (const final of ["refused", "ended"]) expect(accessComesFrom[state]).not.toContain(final);
    expect(accessComesFrom.running).toEqual(["allowed"]);
  });

  test.each([
    [1, 1],
    [60_000, 1],
    [60_001, 2],
    [30 * 60_000, 30],
  ])("A3 %d ms are %d minutes for people", (ms, minutes) => {
    expect(minutesLeft(after(ms), now)).toBe(minutes);
  });
});
