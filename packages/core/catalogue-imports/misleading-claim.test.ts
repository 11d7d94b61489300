import { describe, expect, test } from "vitest";
import { misleadingClaim, unprovedSuperlative } from "./misleading-claim.ts";

describe("C5 claims that mislead", () => {
  test.each([
    "Up to 10% cashback on everything",
    "UP TO 50% OFF",
    "Save now: up to £40 off boots",
    "Up to 12.5 % back",
    "Up to 70 per cent off selected lines",
    "Up to £1,000 discount",
    "Up to 30% extra savings",
  ])("C5 %j is refused without the lowest amount", (title) => {
    expect(misleadingClaim([title, "See the page."])).toMatch(
      /^claims “up to .+” without the lowest amount; say where/i,
    );
  });

  test.each([
    ["Up to 10% cashback", "From 2% on gift cards."],
    ["Up to 50% off", "Marked down from 10% to 50% on the page."],
    ["Between £5 and £40: up to £40 off", ""],
    ["Up to 30% off", "10–30% on selected lines"],
  ])("C5 %j with %j states where it begins", (title, description) => {
    expect(misleadingClaim([title, description])).toBeNull();
  });

  test.each([
    "Engraving up to 20 letters",
    "For up to six people, 10% off",
    "Covered up to £1,000.",
    "20% off for up to 6 people",
    "Free delivery up to noon",
    "The cheapest is free",
    "The lowest price paid by one customer in ten last month",
    "At its best this month",
    "Best before December",
  ])("C5 %j claims nothing about money that misleads", (text) => expect(misleadingClaim([text])).toBeNull());

  test.each([
    "The highest cashback in the UK",
    "Best rates on boots",
    "Lowest prices, guaranteed",
    "Number one for cashback",
    "Unbeatable deals",
    "Guaranteed cashback",
    "Our best ever prices",
    "Lowest price guarantee",
  ])("C5 %j is refused without evidence", (text) => {
    expect(unprovedSuperlative(text)).toMatch(/^claims “.+” without evidence; name the source and its year/);
    expect(misleadingClaim([text])).not.toBeNull();
  });

  test("C5 a superlative with its source and year is let through", () => {
    expect(unprovedSuperlative("Lowest prices according to Which?, May 2026")).toBeNull();
    expect(unprovedSuperlative("Lowest prices according to us")).not.toBeNull();
  });

  test("C5 a text of any length and kind is read at once", () => {
    for (const text of [
      "up to ".repeat(5_000),
      "£".repeat(20_000),
      "best ".repeat(5_000),
      `up to £${"9,".repeat(9_000)}`,
    ])
      expect(() => misleadingClaim([text])).not.toThrow();
  });
});
