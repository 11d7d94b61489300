import { cashbackOn } from "../catalogue/rates.ts";
import type { FrozenRate, RateSnapshot } from "../clicks/rate-snapshot.ts";
import { convertToPence, percentOf, sumPence, type RateMicros } from "../money/money.ts";
import type { TransactionPart } from "../networks/network-transaction.ts";
import type { CashbackAmounts } from "./rules.ts";

export interface Sale {
  currency: string;
  saleMinor: number;
  commissionMinor: number;
  parts: readonly TransactionPart[];
}

/**
 * Returns what a purchase earns at the rates frozen at the click (C5) and the exchange rate frozen when the purchase was first reported.
 * - Each part earns the rate of its commission group. Parts of one group are one basket, so that a cap or a fixed amount applies once.
 * - A part whose group had no rate at the click earns the member's share of its commission. Without parts, a single rate applies to the whole sale.
 * - A lead has commission but no sale: it earns the fixed amount of its group, and where the rate is a percentage, the member's share of the commission.
 * - A part without commission earns nothing yet: when the network adds the commission later, the difference is posted.
 * - A part with a negative commission takes back what it would earn, also from other groups. A purchase earns zero at least.
 */
export function workOutCashback(
  sale: Sale,
  snapshot: Pick<RateSnapshot, "rates" | "memberShareBp">,
  exchangeRate: RateMicros,
): CashbackAmounts {
  const inPence = (minor: number) => convertToPence(minor, sale.currency, exchangeRate);
  const parts =
    sale.parts.length > 0
      ? sale.parts
      : [{ groupId: null, groupCode: null, saleMinor: sale.saleMinor, commissionMinor: sale.commissionMinor }];
  const baskets = new Map<FrozenRate | null, { saleMinor: number; commissionMinor: number }>();
  for (const part of parts) {
    const rate = findRate(part, snapshot.rates);
    const basket = baskets.get(rate) ?? { saleMinor: 0, commissionMinor: 0 };
    baskets.set(rate, {
      saleMinor: basket.saleMinor + countedSale(part),
      commissionMinor: basket.commissionMinor + part.commissionMinor,
    });
  }
  const earned = [...baskets].map(([rate, basket]) => {
    if (basket.commissionMinor === 0) return 0;
    if (!rate || (basket.saleMinor === 0 && rate.kind === "percent"))
      return percentOf(inPence(basket.commissionMinor), snapshot.memberShareBp);
    const sign = Math.sign(basket.commissionMinor);
    return sign * Math.max(0, cashbackOn({ ...rate, boostedUntil: null }, sign * inPence(basket.saleMinor)));
  });
  return {
    salePence: inPence(sale.saleMinor),
    commissionPence: inPence(sale.commissionMinor),
    cashbackPence: Math.max(0, sumPence(earned)),
  };
}

/** Returns the sale that earns, or takes back where it is negative. */
function countedSale({ saleMinor, commissionMinor }: TransactionPart): number {
  if (commissionMinor === 0) return 0;
  return commissionMinor > 0 ? saleMinor : Math.min(0, saleMinor);
}

function findRate(part: TransactionPart, rates: readonly FrozenRate[]): FrozenRate | null {
  if (part.groupId === null && part.groupCode === null) return rates.length === 1 ? rates[0]! : null;
  return (
    rates.find((rate) => rate.groupId === part.groupId) ?? rates.find((rate) => rate.groupId === part.groupCode) ?? null
  );
}
