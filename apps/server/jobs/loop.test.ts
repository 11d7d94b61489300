import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startLoop } from "./loop.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("R1 a loop", () => {
  test("R1 a round that fails is reported and retried with exponential back-off, at most a minute", async () => {
    const rounds: number[] = [];
    const errors: unknown[] = [];
    const start = performance.now();
    const loop = startLoop({
      round: () => {
        rounds.push(Math.round((performance.now() - start) / 1000));
        return Promise.reject(new Error("database away"));
      },
      onError: (error) => errors.push(error),
    });
    await vi.advanceTimersByTimeAsync(250_000);
    expect(rounds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(errors).toHaveLength(rounds.length);
    await loop.close();
  });

  test("R1 a round that succeeds resets the back-off", async () => {
    const outcomes = [false, false, true, false, true];
    const rounds: number[] = [];
    const start = performance.now();
    const loop = startLoop({
      async round() {
        rounds.push(Math.round((performance.now() - start) / 1000));
        if (!outcomes[rounds.length - 1]) throw new Error("database away");
        return 10_000;
      },
      onError: () => {},
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(rounds).toEqual([0, 1, 3, 13, 14]);
    await loop.close();
  });

  test.each([
    [
      "throws synchronously",
      () => {
        throw new Error("at once");
      },
    ],
    ["rejects without an error", () => Promise.reject(undefined)],
    ["returns no number", async () => Number.NaN],
  ])("R1 a round that %s neither ends the loop nor makes it spin", async (_, round) => {
    let rounds = 0;
    const loop = startLoop({
      round: () => {
        rounds += 1;
        return round() as Promise<number>;
      },
      onError: () => {
        throw new Error("the log's disk is full");
      },
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rounds).toBeGreaterThanOrEqual(4);
    expect(rounds).toBeLessThanOrEqual(11);
    await loop.close();
  });

  test("R1 a round that finds more to do continues, and yields to others in between", async () => {
    let rounds = 0;
    const loop = startLoop({ round: async () => ((rounds += 1), 0), onError: () => {} });
    await vi.advanceTimersByTimeAsync(50);
    expect(rounds).toBeGreaterThan(10);
    expect(rounds).toBeLessThanOrEqual(52);
    await loop.close();
  });

  test("R1 a notification ends a sleep, but not the wait after a failure", async () => {
    let rounds = 0;
    let isAway = false;
    const loop = startLoop({
      async round() {
        rounds += 1;
        if (isAway) throw new Error("database away");
        return 60_000;
      },
      onError: () => {},
    });
    await vi.advanceTimersByTimeAsync(0);
    isAway = true;
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(rounds).toBe(2);
    for (let notice = 0; notice < 100; notice += 1) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(rounds).toBe(2);
    isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rounds).toBe(3);
    await loop.close();
  });

  test("P6 a closed loop starts no further round, also during the wait after a failure", async () => {
    let rounds = 0;
    const loop = startLoop({ round: () => ((rounds += 1), Promise.reject(new Error("away"))), onError: () => {} });
    await vi.advanceTimersByTimeAsync(0);
    await loop.close();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(rounds).toBe(1);
  });
});
