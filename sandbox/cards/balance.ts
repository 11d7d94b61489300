import type Stripe from "stripe";
import { newBalanceTransaction } from "./answers/balance-transaction.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards } from "./cards.ts";

/** The provider's fee for a payment with a card of this country: 1.5 % and 20 pence. */
function feeOf(amount: number): number {
  return Math.round(amount * 0.015) + 20;
}

/** Records a movement of the account's balance. */
export function move(
  cards: Cards,
  movement: {
    type: "charge" | "refund" | "refund_failure" | "adjustment";
    amount: number;
    fee?: number;
    currency: string;
    description?: string;
    source: string;
  },
): Stripe.BalanceTransaction {
  const { fee = 0, description = null } = movement;
  return cards.store.put(
    newBalanceTransaction({ ...movement, id: `txn_3${randomText(23)}`, created: seconds(cards), fee, description }),
  );
}

/** Records a captured charge, less the fee. */
export function takeCharge(
  cards: Cards,
  { id, currency, amount_captured: amount }: Stripe.Charge,
): Stripe.BalanceTransaction {
  return move(cards, { type: "charge", amount, fee: feeOf(amount), currency, source: id });
}

/** Returns the account's balance: what all movements sum to. Nothing is paid out, and nothing is pending. */
export function balanceOf(cards: Cards): Stripe.Balance {
  const all = cards.store.list<Stripe.BalanceTransaction>("balance_transaction", {}, 1_000_000);
  const amount = all.filter(({ currency }) => currency === "gbp").reduce((sum, { net }) => sum + net, 0);
  return {
    object: "balance",
    available: [{ amount, currency: "gbp", source_types: { card: amount } }],
    livemode: false,
    pending: [{ amount: 0, currency: "gbp", source_types: { card: 0 } }],
  };
}
