import { z } from "zod";

/** The card provider's minimum. */
export const MIN_PAYMENT_PENCE = 30;
/** £10,000: more than the widget is meant for, and a limit on typing errors. */
export const MAX_PAYMENT_PENCE = 1_000_000;

const AMOUNT_HINT = `is a whole number of pence from ${MIN_PAYMENT_PENCE} to ${MAX_PAYMENT_PENCE}`;

/** An amount that can be paid. */
export const amountPenceSchema = z
  .int(AMOUNT_HINT)
  .min(MIN_PAYMENT_PENCE, AMOUNT_HINT)
  .max(MAX_PAYMENT_PENCE, AMOUNT_HINT)
  .describe("Pence of pounds sterling.");
