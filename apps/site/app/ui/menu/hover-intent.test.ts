import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AIM_DELAY_MS,
  CLOSE_DELAY_MS,
  createHoverTimer,
  isAimingDown,
  OPEN_DELAY_MS,
  waitBeforeOpening,
} from "./hover-intent.ts";

const at = (x: number, y: number) => ({ x, y });

test.each([
  ["straight down", at(100, 100), at(100, 110), true],
  ["diagonally down", at(100, 100), at(125, 110), true],
  ["along the row", at(100, 100), at(140, 100), false],
  ["along the row with a shaky hand", at(100, 100), at(140, 104), false],
  ["up", at(100, 100), at(100, 90), false],
  ["nowhere", at(100, 100), at(100, 100), false],
])("D6 whether a pointer moving %s aims at the panel", (_, from, to, expected) => {
  expect(isAimingDown(from, to)).toBe(expected);
});

test("D6 a section opens after a delay, at once while another is open, and later where the pointer crosses it on the way down", () => {
  expect(waitBeforeOpening({ isOtherOpen: false, from: at(0, 0), to: at(0, 9) })).toBe(OPEN_DELAY_MS);
  expect(waitBeforeOpening({ isOtherOpen: true, from: at(0, 0), to: at(40, 0) })).toBe(0);
  expect(waitBeforeOpening({ isOtherOpen: true, from: at(0, 0), to: at(20, 10) })).toBe(AIM_DELAY_MS);
});

describe("the timer behind the menu's sections", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function record() {
    const calls: string[] = [];
    return { calls, timer: createHoverTimer(), act: (call: string) => () => void calls.push(call) };
  }

  test("D6 only the last of several calls is made", () => {
    const { calls, timer, act } = record();
    timer.after(OPEN_DELAY_MS, act("open"));
    timer.after(CLOSE_DELAY_MS, act("close"));
    vi.advanceTimersByTime(CLOSE_DELAY_MS);
    expect(calls).toEqual(["close"]);
  });

  test.each(["onClick", "onKeyDown"] as const)(
    "D6 a press (%s) within the opening delay cancels the timer, which would undo it",
    (press) => {
      const { calls, timer, act } = record();
      timer.after(OPEN_DELAY_MS, act("open"));
      vi.advanceTimersByTime(OPEN_DELAY_MS - 1);
      timer.ofRow[press]();
      vi.advanceTimersByTime(OPEN_DELAY_MS);
      expect(calls).toEqual([]);
    },
  );
});
