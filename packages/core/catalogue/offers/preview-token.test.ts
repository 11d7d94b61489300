import { expect, test } from "vitest";
import { isPreview, issuePreview, PREVIEW_MS } from "./preview-token.ts";

const now = new Date("2026-11-20T12:00:00Z");
const asked = { key: "a key", publicId: "0123456789abcdef", now };
const at = (ms: number) => ({ ...asked, now: new Date(now.getTime() + ms) });

test("A2 a preview's link works for its offer, for a quarter of an hour", () => {
  const token = issuePreview(asked);
  expect(isPreview(token, asked)).toBe(true);
  expect(isPreview(token, at(PREVIEW_MS - 1))).toBe(true);
  expect(isPreview(token, at(PREVIEW_MS))).toBe(false);
  expect(isPreview(token, { ...asked, publicId: "another" })).toBe(false);
  expect(isPreview(token, { ...asked, key: "another key" })).toBe(false);
});

test("A2 nobody makes or prolongs a preview's link", () => {
  const [until, seal] = issuePreview(asked).split(".") as [string, string];
  for (const token of [
    "",
    ".",
    until,
    `${Number(until) + 1}.${seal}`,
    `${until}.${seal}.x`,
    `${until}.${"a".repeat(43)}`,
    "\u0000.\uD800",
  ])
    expect(isPreview(token, asked)).toBe(false);
});
