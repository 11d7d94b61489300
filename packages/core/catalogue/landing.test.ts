import { expect, test } from "vitest";
import { chooseDealLink } from "./landing.ts";

const offer = {
  kind: "deal",
  candidates: [null, "https://www.shop.example/sale"],
  programme: { landingUrl: "https://www.shop.example/", validDomains: [] },
  isClubsOwn: false,
  homepageUrl: "https://www.shop.example/",
} as const;

test("C1 a joined programme tracks the link of every kind that is redeemed on the shop's site", () => {
  for (const kind of [null, "cashback", "code", "deal", "gift_card"] as const)
    expect(chooseDealLink({ ...offer, kind })).toEqual({ as: "tracked", landingUrl: "https://www.shop.example/sale" });
  for (const kind of ["in_store", "app_exclusive"] as const) expect(chooseDealLink({ ...offer, kind })).toBeNull();
});

test("C1 without a programme the link leads to the shop untracked, but not where only cashback is promised", () => {
  const without = { ...offer, programme: null };
  for (const kind of ["code", "deal", "gift_card"] as const)
    expect(chooseDealLink({ ...without, kind })).toEqual({
      as: "untracked",
      landingUrl: "https://www.shop.example/sale",
    });
  for (const kind of [null, "cashback", "in_store", "app_exclusive"] as const)
    expect(chooseDealLink({ ...without, kind })).toBeNull();
});

test("S1 without a programme a network's address leads to the shop's own host only, an operator's where it says", () => {
  const elsewhere = { ...offer, programme: null, candidates: ["https://evil.test/"] };
  expect(chooseDealLink(elsewhere)?.landingUrl).toBe("https://www.shop.example/");
  expect(chooseDealLink({ ...elsewhere, isClubsOwn: true })?.landingUrl).toBe("https://evil.test/");
  for (const url of ["https://me@evil.test/", "javascript:alert(1)", "nonsense"])
    expect(chooseDealLink({ ...elsewhere, isClubsOwn: true, candidates: [url] })?.landingUrl).toBe(
      "https://www.shop.example/",
    );
});
