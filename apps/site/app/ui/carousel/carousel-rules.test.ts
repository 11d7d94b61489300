import { describe, expect, it } from "vitest";
import {
  type AutoplayState,
  autoplayMs,
  describeView,
  hasDots,
  isPlaying,
  isStopped,
  placeAfterSwipe,
  slidesInView,
} from "./carousel-rules.ts";

const swipe = (across: number, along = 0, { place = 1, isRound = true } = {}) =>
  placeAfterSwipe({ place, places: 3, across, along, isRound });

describe("carousels (D8)", () => {
  it("D8 offers stay for 7 s, logos for 2.5 s, anything else for 3.5 s", () => {
    expect(autoplayMs).toEqual({ offers: 7_000, logos: 2_500, other: 3_500 });
  });

  it("D8 a swipe counts from 40 pixels on, to either side, and only if it went sideways", () => {
    expect([swipe(-39), swipe(-40), swipe(-41)]).toEqual([1, 2, 2]);
    expect([swipe(39), swipe(40), swipe(41)]).toEqual([1, 0, 0]);
    expect(swipe(-60, 80)).toBe(1);
    expect(swipe(-300)).toBe(2);
  });

  it("D8 the first place follows the last only where the carousel goes round", () => {
    expect(swipe(-50, 0, { place: 2 })).toBe(0);
    expect(swipe(50, 0, { place: 0 })).toBe(2);
    expect(swipe(-50, 0, { place: 2, isRound: false })).toBe(2);
    expect(swipe(50, 0, { place: 0, isRound: false })).toBe(0);
  });

  it("D8 the slides in view are counted round, and are all of them where all fit", () => {
    expect([...slidesInView({ first: 6, inView: 4, slides: 8 })]).toEqual([6, 7, 0, 1]);
    expect([...slidesInView({ first: 2, inView: 1, slides: 8 })]).toEqual([2]);
    expect(slidesInView({ first: 0, inView: 4, slides: 3 }).size).toBe(3);
  });

  it("D8 a screen reader hears which are in view", () => {
    expect(describeView(new Set([2]), 8)).toBe("3 of 8");
    expect(describeView(new Set([4, 5, 6, 7]), 8)).toBe("5 to 8 of 8");
    expect(describeView(new Set([0, 1]), 2)).toBe("All 2");
  });

  it("D8 there are never too many dots", () => {
    expect([1, 2, 8, 9].map(hasDots)).toEqual([false, true, true, false]);
  });
});

describe("autoplay (D8, U1)", () => {
  const free: AutoplayState = {
    choice: null,
    prefersStillness: false,
    pointer: null,
    focus: null,
    isPageHidden: false,
    isOnScreen: true,
  };

  it("D8 it plays when nothing holds it, and each thing that holds it does so alone", () => {
    expect(isPlaying(free)).toBe(true);
    const holding: Partial<AutoplayState>[] = [
      { pointer: "rest" },
      { pointer: "button" },
      { focus: "rest" },
      { focus: "button" },
      { isPageHidden: true },
      { isOnScreen: false },
      { prefersStillness: true },
      { choice: "paused" },
    ];
    for (const held of holding) expect(isPlaying({ ...free, ...held }), JSON.stringify(held)).toBe(false);
  });

  it("U1 who presses Play sees it play, though pointer and focus are still on the button, and even where stillness is preferred", () => {
    const pressed: AutoplayState = { ...free, choice: "playing", pointer: "button", focus: "button" };
    expect(isPlaying(pressed)).toBe(true);
    expect(isPlaying({ ...pressed, prefersStillness: true })).toBe(true);
    expect(isPlaying({ ...pressed, focus: "rest" })).toBe(false);
    expect(isStopped({ choice: null, prefersStillness: true })).toBe(true);
    expect(isStopped({ choice: "playing", prefersStillness: true })).toBe(false);
  });
});
