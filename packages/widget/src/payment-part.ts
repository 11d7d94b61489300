import type { Environment } from "./environments.ts";
import type { takePayment } from "./take-payment.ts";

export type PaymentPart = { takePayment: typeof takePayment };

/**
 * Loads the code that takes payments, which a page does not need at first. The build of the script tag replaces this file by
 * payment-part-by-tag.ts, because a classic script on another origin cannot import relative addresses.
 */
export function loadPaymentPart(_environment: Environment, _signal: AbortSignal): Promise<PaymentPart> {
  return import("./take-payment.ts");
}
