import { z } from "zod";
import { amountPenceSchema } from "../partners/amount-schema.ts";

/** How the keys of payments for gift cards begin (`paymentKey`), and no page's. */
export const GIFT_CARD_KEY = "gift-card-";

/** Returns whether a payment with this key is for gift cards. */
export function isForGiftCards(key: string): boolean {
  return key.startsWith(GIFT_CARD_KEY);
}

/** The request of POST /api/payments. */
export const startPaymentSchema = z.strictObject({
  amountPence: amountPenceSchema,
  reference: z
    .string("is a text")
    .trim()
    .min(1, "is not empty")
    .max(100, "has at most 100 characters")
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "is one line"),
  idempotencyKey: z
    .string("is a text")
    .regex(/^[A-Za-z0-9_-]{8,100}$/, "is 8 to 100 letters, digits, - and _, and new for each payment")
    .refine((key) => !isForGiftCards(key), `does not begin with ${GIFT_CARD_KEY}`),
});

/** The response of POST /api/payments: the payload of the widget's payment message, and the payment's id. */
export interface StartedPaymentAnswer {
  paymentId: string;
  clientSecret: string;
  /** Lets the payer's browser see and save cards of this customer (docs/widget.md). */
  ephemeralKey: string;
  customerId: string;
  /** In pounds, as the message requires. */
  paymentAmount: number;
  contextToken: string;
}
