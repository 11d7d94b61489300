import type { Pence } from "../money/money.ts";

/** What a partner's server has fixed for a visit (W10): the visitor types neither amount nor reference. */
export interface FixedPrice {
  amountPence: Pence;
  /** The partner's own name for the purchase, at most 100 characters. */
  reference: string;
  /** What is paid for, in words for the payer. */
  description: string | null;
  /** Where the card provider sends its receipt. */
  email: string | null;
  /** The reference is an order that is paid once, in whichever session. */
  isOnce?: boolean;
}

/** The columns of a visit that hold its price. */
export interface PriceColumns {
  amountPence: number | null;
  reference: string | null;
  description: string | null;
  email: string | null;
  oncePerReference?: boolean;
}

/** Returns the price of a token or session; null where the visitor chooses the amount. */
export function priceOf({ oncePerReference = false, ...columns }: PriceColumns): FixedPrice | null {
  const { amountPence, reference, description, email } = columns;
  if (amountPence === null || reference === null) return null;
  return { amountPence, reference, description, email, ...(oncePerReference ? { isOnce: true } : {}) };
}
