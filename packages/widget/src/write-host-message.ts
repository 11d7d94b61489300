import type { HostMessage, PaymentContext, RedirectConfiguration } from "./messages.ts";

const write = (message: HostMessage): string => JSON.stringify(message);

/** Returns the REDIRECT_CONFIG message (Z7). It has the two known fields only, whatever else the partner's object holds. */
export function writeRedirectConfig({ paymentSuccess: { templateUrl, idPlaceholder } }: RedirectConfiguration): string {
  return write({
    type: "REDIRECT_CONFIG",
    payload: { paymentSuccess: { templateUrl, idPlaceholder } },
    origin: "react",
  });
}

/** Returns the STRIPE_PAYMENT_COMPLETE message (Z7), with the intent's context unchanged. */
export function writePaymentComplete(context: PaymentContext): string {
  return write({ type: "STRIPE_PAYMENT_COMPLETE", payload: { context }, origin: "react" });
}
