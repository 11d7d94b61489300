import type { Basket } from "./baskets.ts";

/** Prices in the shops include VAT at the standard rate. */
const VAT_PERCENT = 20;
/** Delivery, with VAT, and the price of goods from which it is free. */
export const DELIVERY_PENCE = 3_95;
export const FREE_DELIVERY_FROM_PENCE = 40_00;

/** What a basket costs, in pence, and what of it counts for commission. */
export interface PriceParts {
  goodsPence: number;
  discountPence: number;
  deliveryPence: number;
  /** What the buyer pays: goods, less the discount, and delivery. */
  totalPence: number;
  /** What of the total is VAT, delivery's included. */
  vatPence: number;
  /** Goods less the discount, without VAT and delivery: what the shop reports to the network. */
  countedPence: number;
  /** The same by line of the basket, in its order. */
  countedLines: number[];
}

/** Works out what a basket costs. A discount is taken off the lines in proportion, VAT off each line; the sums are of whole pennies. */
export function priceParts(
  basket: Pick<Basket, "lines" | "goodsPence">,
  { discountPence, delivers }: { discountPence: number; delivers: boolean },
): PriceParts {
  const { goodsPence } = basket;
  const paidLines = sharedDiscount(
    basket.lines.map(({ product, quantity }) => product.pence * quantity),
    discountPence,
  );
  const countedLines = paidLines.map(withoutVat);
  const countedPence = countedLines.reduce((sum, pence) => sum + pence, 0);
  const paidPence = goodsPence - discountPence;
  const deliveryPence = delivers && paidPence < FREE_DELIVERY_FROM_PENCE ? DELIVERY_PENCE : 0;
  const vatPence = paidPence - countedPence + deliveryPence - withoutVat(deliveryPence);
  return {
    goodsPence,
    discountPence,
    deliveryPence,
    totalPence: paidPence + deliveryPence,
    vatPence,
    countedPence,
    countedLines,
  };
}

function withoutVat(pence: number): number {
  return Math.round((pence * 100) / (100 + VAT_PERCENT));
}

/** Takes a discount off the lines in proportion; the last takes the odd pennies. */
function sharedDiscount(lines: readonly number[], discountPence: number): number[] {
  const total = lines.reduce((sum, pence) => sum + pence, 0);
  let left = discountPence;
  return lines.map((pence, index) => {
    const share = index === lines.length - 1 ? left : Math.floor((discountPence * pence) / Math.max(total, 1));
    left -= share;
    return pence - share;
  });
}
