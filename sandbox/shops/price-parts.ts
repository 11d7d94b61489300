import type { Basket } from "./baskets.ts";

/** The standard rate of VAT, which prices in the shops include. */
const VAT_PERCENT = 20;
/** The price of delivery, with VAT, and the price of goods from which it is free. */
export const DELIVERY_PENCE = 3_95;
export const FREE_DELIVERY_FROM_PENCE = 40_00;

/** The price of a basket in pence, and the part that counts for commission. */
export interface PriceParts {
  goodsPence: number;
  discountPence: number;
  deliveryPence: number;
  /** The total that the buyer pays: goods, less the discount, and delivery. */
  totalPence: number;
  /** The VAT in the total, including delivery's. */
  vatPence: number;
  /** The amount that the shop reports to the network: goods less the discount, without VAT and delivery. */
  countedPence: number;
  /** The reported amount of each line of the basket, in order. */
  countedLines: number[];
}

/** Computes the price of a basket. The discount is allocated to the lines in proportion, and VAT is deducted from each line, in whole pennies. */
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

/** Allocates a discount to the lines in proportion; the last line gets the remaining pennies. */
function sharedDiscount(lines: readonly number[], discountPence: number): number[] {
  const total = lines.reduce((sum, pence) => sum + pence, 0);
  let left = discountPence;
  return lines.map((pence, index) => {
    const share = index === lines.length - 1 ? left : Math.floor((discountPence * pence) / Math.max(total, 1));
    left -= share;
    return pence - share;
  });
}
