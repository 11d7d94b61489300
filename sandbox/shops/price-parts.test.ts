import { describe, expect, test } from "vitest";
import { priceParts } from "./price-parts.ts";
import type { Product } from "./products.ts";

const basket = (...pence: number[]) => ({
  lines: pence.map((one) => ({ product: { pence: one } as Product, quantity: 1 })),
  goodsPence: pence.reduce((sum, one) => sum + one, 0),
});

describe("C5 the price of a basket, and the part that earns cashback", () => {
  test("C5 the price includes VAT, delivery is added, and neither counts", () => {
    expect(priceParts(basket(12_00), { discountPence: 0, delivers: true })).toEqual({
      goodsPence: 12_00,
      discountPence: 0,
      deliveryPence: 3_95,
      totalPence: 15_95,
      vatPence: 2_66,
      countedPence: 10_00,
      countedLines: [10_00],
    });
  });

  test("C5 delivery is free from £40 for goods, and where nothing is shipped", () => {
    expect(priceParts(basket(40_00), { discountPence: 0, delivers: true }).deliveryPence).toBe(0);
    expect(priceParts(basket(40_00), { discountPence: 1, delivers: true }).deliveryPence).toBe(3_95);
    expect(priceParts(basket(9_00), { discountPence: 0, delivers: false }).deliveryPence).toBe(0);
  });

  test("C5 the parts add up to the penny, for any prices and discount", () => {
    for (let seed = 1; seed < 400; seed += 1) {
      const prices = Array.from({ length: (seed % 5) + 1 }, (_, at) => ((seed * 7_919 + at * 104_729) % 9_000) + 99);
      const shopping = basket(...prices);
      const discountPence = Math.floor((shopping.goodsPence * (seed % 60)) / 100);
      const parts = priceParts(shopping, { discountPence, delivers: seed % 2 === 0 });
      expect(parts.totalPence).toBe(shopping.goodsPence - discountPence + parts.deliveryPence);
      expect(parts.countedLines.reduce((sum, one) => sum + one, 0)).toBe(parts.countedPence);
      const net = parts.totalPence - parts.vatPence;
      expect(Math.abs(net * 1.2 - parts.totalPence)).toBeLessThanOrEqual(prices.length + 2);
    }
  });
});
