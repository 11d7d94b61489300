import { expect, test } from "vitest";
import { afterPress, levelOf, oneLevelUp } from "./menu-place.ts";

test("D6 D9 the sheet has three levels, and Back leads from each to the one above", () => {
  const group = { section: 2, group: 0, isPinned: true };
  expect([{}, { section: 0 }, group].map(levelOf)).toEqual([0, 1, 2]);
  expect(oneLevelUp(group)).toEqual({ section: 2 });
  expect(oneLevelUp({ section: 2, isPinned: true })).toEqual({});
  expect(oneLevelUp({})).toEqual({});
});

test("D6 a press opens a section and keeps it open, also one that hovering opened; the second press closes it", () => {
  const pressed = { section: 1, isPinned: true };
  expect(afterPress("wide", {}, 1)).toEqual(pressed);
  expect(afterPress("wide", { section: 1, isPinned: false }, 1)).toEqual(pressed);
  expect(afterPress("wide", { section: 0, isPinned: true }, 1)).toEqual(pressed);
  expect(afterPress("wide", pressed, 1)).toEqual({});
});

test("D6 D9 in the sheet a press always leads to the section's level", () => {
  expect(afterPress("narrow", { section: 1, isPinned: true }, 1)).toEqual({ section: 1, isPinned: true });
});
