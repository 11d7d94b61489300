import fc from "fast-check";
import { expect, test } from "vitest";
import { headlineOf } from "./headline.ts";
import { memberRateBp, memberRatePence } from "./member-rate.ts";
import { slugOf } from "./slug.ts";

test.each([
  [750, 8000, 600],
  [438, 8000, 350],
  [437, 8000, 345],
  [6, 8000, 0],
  [0, 8000, 0],
  [10_000, 10_000, 10_000],
])(
  "C5 of %i bp at a share of %i bp the member is promised %i bp, in steps of five, never more than the network pays",
  (network, share, member) => {
    expect(memberRateBp(network, share)).toBe(member);
  },
);

test("C5 a member is never promised more than the network pays", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (network, share) => {
      const bp = memberRateBp(network, share);
      expect(bp * 10_000).toBeLessThanOrEqual(network * share);
      expect(bp % 5).toBe(0);
      expect(memberRatePence(network, share) * 10_000).toBeLessThanOrEqual(network * share);
    }),
  );
});

test("C5 fixed amounts are rounded down to whole pence", () => {
  expect(memberRatePence(2599, 7500)).toBe(1949);
});

test.each([
  ["15% off walking boots with this code", "15% off"],
  ["Save 10% on everything", "10% off"],
  ["Up to 50% off in the sale", "Up to 50% off"],
  ["£10 off when you spend £50", "£10 off"],
  ["Save £25.50 on tyres", "£25.50 off"],
  ["Half-price blazers while they last", "Half price"],
  ["3 for 2 on school shirts", "3 for 2"],
  ["Free next-day delivery over £40", "Free delivery"],
  ["Three months free on car cover", "Three months free"],
  ["Kids eat free in half-term", "Kids eat free"],
  ["Refurbished laptops from £189", "From £189"],
  ["£25 gift card with Full Fibre", "£25 gift card"],
  ["Something for everyone", "Special offer"],
])("O7 the headline of %j is %j", (title, headline) => {
  expect(headlineOf(title)).toBe(headline);
});

test.each([
  ["Café Amberlune", "cafe-amberlune"],
  ["Nan Thistle’s Pantry", "nan-thistles-pantry"],
  ["Sorrel & Dune", "sorrel-and-dune"],
  ["  --  ", "fallback"],
  ["日本", "fallback"],
])("O1 the address of %j is %j", (text, slug) => {
  expect(slugOf(text, "fallback")).toBe(slug);
});

test("O1 any text becomes a valid slug of at most 80 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const slug = slugOf(text, "offer");
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(80);
    }),
  );
});
