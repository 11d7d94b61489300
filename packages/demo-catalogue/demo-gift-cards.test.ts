import { readBrand } from "@farthing/providers/issuers/tillo/tillo-catalogue.ts";
import { expect, test } from "vitest";
import { demoCatalogue } from "./demo-catalogue.ts";
import { demoGiftCard } from "./demo-gift-cards.ts";

const scale = { seed: "farthing", now: new Date("2026-11-20T00:00:00Z"), retailers: 240, offers: 1100 };
const entries = [...demoCatalogue(scale)];
const products = entries.map((entry) =>
  readBrand(entry.editorial.slug ?? "", JSON.parse(JSON.stringify(demoGiftCard(scale.seed, entry)))),
);

test("G5 each of the 240 demo gift cards is a product that the issuer's adapter reads", () => {
  expect(products.filter((product) => product !== null)).toHaveLength(240);
  expect(new Set(products.map((product) => product?.issuerProductId)).size).toBe(240);
});

test("G5 the demo gift cards have every kind: fixed and ranges, online and in store, final, off sale, without expiry", () => {
  const some = (condition: (product: NonNullable<(typeof products)[number]>) => boolean) =>
    products.filter((product) => product !== null && condition(product)).length;
  expect(some(({ amounts }) => amounts.kind === "fixed")).toBeGreaterThan(60);
  expect(some(({ amounts }) => amounts.kind === "range")).toBeGreaterThan(60);
  expect(some(({ redeemableAt }) => redeemableAt.length === 1)).toBeGreaterThan(40);
  expect(some(({ isReversible }) => !isReversible)).toBeGreaterThan(10);
  expect(some(({ isOnSale }) => !isOnSale)).toBeGreaterThan(1);
  expect(some(({ expiresAfterMonths }) => expiresAfterMonths === null)).toBeGreaterThan(10);
  expect(some(({ issuerDiscountBp }) => issuerDiscountBp < 200 || issuerDiscountBp > 1200)).toBe(0);
});

test("G5 the terms of a demo gift card leave its expiry to the page, which says it once", () => {
  for (const product of products) expect(product?.terms).not.toMatch(/expire/i);
});
