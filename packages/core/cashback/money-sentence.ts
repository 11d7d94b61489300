import { formatPence, type Pence } from "../money/money.ts";

/** A member's balances in pence. Only what is payable can be below zero: after a decline of cashback that was paid out. */
export interface MoneyInWords {
  payablePence: Pence;
  confirmedPence: Pence;
  trackedPence: Pence;
  paidPence: Pence;
  /** Whether a purchase was ever tracked, whatever became of it. */
  hasPurchases: boolean;
}

/** Returns what a member's home page says of their money (D1, C3). What is confirmed and what is only tracked are both on their way. */
export function moneySentence({
  payablePence,
  confirmedPence,
  trackedPence,
  paidPence,
  hasPurchases,
}: MoneyInWords): string {
  const coming = confirmedPence + trackedPence;
  const onItsWay = coming > 0 ? `${formatPence(coming)} is on its way` : null;
  if (payablePence < 0)
    return `${formatPence(-payablePence)} that was paid out has been declined since; your next cashback makes up for it${onItsWay ? `, and ${onItsWay}` : ""}.`;
  if (payablePence > 0) return `${formatPence(payablePence)} is yours${onItsWay ? `, and ${onItsWay}` : ""}.`;
  if (onItsWay) return `${onItsWay}.`;
  if (paidPence > 0) return `${formatPence(paidPence)} paid out so far. Nothing else is on its way.`;
  if (hasPurchases) return "Nothing is on its way just now.";
  return "Nothing tracked yet. What you buy through our links shows here, usually within days.";
}
