import { describe, expect, test } from "vitest";
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
  test("D8 offers stay for 7 s, logos for 2.5 s, anything else for 3.5 s", () => {
    expect(autoplayMs).toEqual({ offers: 7_000, logos: 2_500, other: 3_500 });
  });

  test("D8 a swipe counts from 40 pixels, in either direction, and only where it is mostly horizontal", () => {
    expect({ 39: swipe(-39), 40: swipe(-40), 41: swipe(-41) }).toEqual({ 39: 1, 40: 2, 41: 2 });
    expect({ 39: swipe(39), 40: swipe(40), 41: swipe(41) }).toEqual({ 39: 1, 40: 0, 41: 0 });
    expect(swipe(-60, 80)).toBe(1);
    expect(swipe(-300)).toBe(2);
  });

  test("D8 the first place follows the last only where the carousel loops", () => {
    expect(swipe(-50, 0, { place: 2 })).toBe(0);
    expect(swipe(50, 0, { place: 0 })).toBe(2);
    expect(swipe(-50, 0, { place: 2, isRound: false })).toBe(2);
    expect(swipe(50, 0, { place: 0, isRound: false })).toBe(0);
  });

  test("D8 the slides in view wrap around, and are all slides where all fit", () => {
    expect([...slidesInView({ first: 6, inView: 4, slides: 8 })]).toEqual([6, 7, 0, 1]);
    expect([...slidesInView({ first: 2, inView: 1, slides: 8 })]).toEqual([2]);
    expect(slidesInView({ first: 0, inView: 4, slides: 3 }).size).toBe(3);
  });

  test("D8 a screen reader announces which slides are in view", () => {
    expect(describeView(new Set([2]), 8)).toBe("3 of 8");
    expect(describeView(new Set([4, 5, 6, 7]), 8)).toBe("5 to 8 of 8");
    expect(describeView(new Set([0, 1]), 2)).toBe("All 2");
  });

  test("D8 there are at most eight dots", () => {
    expect([1, 2, 8, 9].map(hasDots)).toEqual([false, true, true, false]);
  });
});

describe("autoplay (D8, U1)", () => {
  const free: AutoplayState = {
    choice: null,
    prefersReducedMotion: false,
    pointer: null,
    focus: null,
    isPageHidden: false,
    isOnScreen: true,
  };

  test("D8 autoplay runs unless something pauses it, and each reason alone pauses it", () => {
    expect(isPlaying(free)).toBe(true);
    const holding: Partial<AutoplayState>[] = [
      { pointer: "rest" },
      { pointer: "button" },
      { focus: "rest" },
      { focus: "button" },
      { isPageHidden: true },
      { isOnScreen: false },
      { prefersReducedMotion: true },
      { choice: "paused" },
    ];
    for (const held of holding) expect(isPlaying({ ...free, ...held }), JSON.stringify(held)).toBe(false);
  });

  test("U1 Play starts autoplay although pointer and focus are on the button, and also with reduced motion", () => {
    const pressed: AutoplayState = { ...free, choice: "playing", pointer: "button", focus: "button" };
    expect(isPlaying(pressed)).toBe(true);
    expect(isPlaying({ ...pressed, prefersReducedMotion: true })).toBe(true);
    expect(isPlaying({ ...pressed, focus: "rest" })).toBe(false);
    expect(isStopped({ choice: null, prefersReducedMotion: true })).toBe(true);
    expect(isStopped({ choice: "playing", prefersReducedMotion: true })).toBe(false);
  });
});
