import fc from "fast-check";
import { expect, test } from "vitest";
import { countPages, isReadInOrder, offerState, termsLine } from "./rules.ts";
import { letterSchema, offerIdSchema, offerSortSchema, pageSchema, slugSchema, variantIdSchema } from "./schema.ts";

const now = new Date("2026-11-20T12:00:00Z");
const before = new Date("2026-11-19T12:00:00Z");
const after = new Date("2026-11-21T12:00:00Z");
const offer = { status: "live", startsAt: before, endsAt: after, retailerStatus: "active" } as const;

test("O1 the state of an offer follows from its dates, its status and its retailer's status", () => {
  expect(offerState(offer, now)).toBe("live");
  expect(offerState({ ...offer, endsAt: null }, now)).toBe("live");
  expect(offerState({ ...offer, startsAt: now }, now)).toBe("live");
  expect(offerState({ ...offer, endsAt: now }, now)).toBe("expired");
  expect(offerState({ ...offer, startsAt: after, endsAt: null }, now)).toBe("upcoming");
  expect(offerState({ ...offer, status: "withdrawn" }, now)).toBe("withdrawn");
  expect(offerState({ ...offer, status: "withdrawn", endsAt: before }, now)).toBe("expired");
  for (const retailerStatus of ["paused", "in_administration", "closed"] as const) {
    expect(offerState({ ...offer, retailerStatus }, now)).toBe("withdrawn");
  }
});

test("O7 a card's line of terms is the first sentence of the exclusions, else of the terms", () => {
  expect(termsLine({ exclusions: "Not on sale items. Nor gift cards.", terms: "New customers only." })).toBe(
    "Not on sale items",
  );
  expect(termsLine({ exclusions: "  ", terms: "New\n customers only. One use." })).toBe("New customers only");
  expect(termsLine({ exclusions: "", terms: "Spend £10.50 or more. Once." })).toBe("Spend £10.50 or more");
  expect(termsLine({ exclusions: "", terms: "" })).toBeNull();
});

test("O7 a line of terms is short and well-formed for any terms", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (terms) => {
      const line = termsLine({ exclusions: "", terms });
      return line === null || (line.length > 0 && line.length <= 100 && line.isWellFormed());
    }),
  );
});

test("D5 an empty listing is page 1 of 1", () => {
  expect([0, 24, 25].map((total) => countPages(total))).toEqual([1, 1, 2]);
});

test.each([
  { total: 239, listed: 239, page: 1, isInOrder: false },
  { total: 240, listed: 240, page: 1, isInOrder: true },
  { total: 400, listed: 10_000, page: 1, isInOrder: true },
  { total: 400, listed: 10_000, page: 2, isInOrder: false },
  { total: 400, listed: 100_000, page: 1, isInOrder: false },
  { total: 1_000, listed: 100_000, page: 3, isInOrder: true },
  { total: 5_000, listed: 100_000, page: 4, isInOrder: false },
])("D4 page $page of $total offers among $listed is read in its order: $isInOrder", ({ isInOrder, ...page }) => {
  expect(isReadInOrder(page)).toBe(isInOrder);
});

test("D5 an invalid sort or page in the URL becomes the default", () => {
  for (const bad of [undefined, null, "", "POPULAR", "price", "popular'--", ["newest"], {}])
    expect(offerSortSchema.parse(bad)).toBe("popular");
  expect(offerSortSchema.parse("ending")).toBe("ending");
  for (const bad of [
    undefined,
    null,
    "",
    "0",
    "-1",
    "1.5",
    "501",
    "999999999999",
    "1e3",
    "0x1",
    "\u0661",
    "2 ",
    ["2"],
    "NaN",
    "\0",
  ])
    expect(pageSchema.parse(bad)).toBe(1);
  expect(pageSchema.parse("2")).toBe(2);
});

test("O1 an invalid id, slug or letter in the URL becomes null, not an error", () => {
  for (const bad of [
    undefined,
    "",
    "a b",
    "<script>",
    "'; drop table offers",
    "x".repeat(65),
    "\0",
    "\ud800",
    ["a"],
    7,
  ]) {
    expect(offerIdSchema.parse(bad)).toBeNull();
    expect(variantIdSchema.parse(bad)).toBeNull();
  }
  expect(offerIdSchema.parse("0af31b2c4d5e6f70")).toBe("0af31b2c4d5e6f70");
  for (const bad of ["", "-a", "a--b", "A", "a/b", "../x", "a".repeat(201)]) expect(slugSchema.parse(bad)).toBeNull();
  expect(slugSchema.parse("fernhollow-boots")).toBe("fernhollow-boots");
  expect(["B", "0", "ab", "é", undefined].map((letter) => letterSchema.parse(letter))).toEqual([
    "b",
    "0",
    null,
    null,
    null,
  ]);
});
