import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { debounce } from "./debounce.ts";
import { throttle } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function record() {
  const calls: number[] = [];
  return { calls, act: (value: number) => void calls.push(value) };
}

describe("bursts of calls", () => {
  test("D9 a debounced call is made once, 300 ms after the last of a burst, with its values", () => {
    const { calls, act } = record();
    const resized = debounce(act);
    for (const width of [700, 800, 900]) {
      resized(width);
      vi.advanceTimersByTime(299);
    }
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual([900]);
    resized(1000);
    resized.cancel();
    vi.advanceTimersByTime(1_000);
    expect(calls).toEqual([900]);
  });

  test("D9 a throttled call is made at once and then once a second, and the last one is not lost", () => {
    const { calls, act } = record();
    const scrolled = throttle(act);
    scrolled(1);
    expect(calls).toEqual([1]);
    scrolled(2);
    vi.advanceTimersByTime(500);
    scrolled(3);
    vi.advanceTimersByTime(499);
    expect(calls).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual([1, 3]);
    scrolled(4);
    vi.advanceTimersByTime(999);
    expect(calls).toEqual([1, 3]);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual([1, 3, 4]);
    vi.advanceTimersByTime(1_000);
    scrolled(5);
    expect(calls).toEqual([1, 3, 4, 5]);
    scrolled(6);
    scrolled.cancel();
    vi.advanceTimersByTime(5_000);
    expect(calls).toEqual([1, 3, 4, 5]);
  });
});
