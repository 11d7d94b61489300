import { expect, test } from "vitest";
import { scrollCloses } from "./page-state.ts";

test.each([
  [0, 199, false],
  [0, 200, true],
  [0, 900, true],
  [150, 199, false],
  [150, 200, true],
  // Opened further down: it closes with the next movement, not as it opens.
  [300, 300, false],
  [300, 301, true],
  [300, 250, true],
  [300, 199, false],
])("D6 on desktop, opened at %i px and scrolled to %i px: closed is %s", (openedAt, now, closed) => {
  expect(scrollCloses({ isDesktop: true, openedAt, now })).toBe(closed);
});

test.each([
  [0, 8, false],
  [0, 9, true],
  [500, 508, false],
  [500, 491, true],
])("D6 on a narrow window, opened at %i px and scrolled to %i px: closed is %s", (openedAt, now, closed) => {
  expect(scrollCloses({ isDesktop: false, openedAt, now })).toBe(closed);
});
