import type { HostMessage, PaymentContext, RedirectConfiguration } from "./messages.ts";

const write = (message: HostMessage): string => JSON.stringify(message);

/** The bytes of REDIRECT_CONFIG (Z7). Only the two known fields go out, whatever else the partner's object holds. */
export function writeRedirectConfig({ paymentSuccess: { templateUrl, idPlaceholder } }: RedirectConfiguration): string {
  return write({
    type: "REDIRECT_CONFIG",
    payload: { paymentSuccess: { templateUrl, idPlaceholder } },
    origin: "react",
  });
}

/** The bytes of STRIPE_PAYMENT_COMPLETE (Z7), with the intent's context as it came. */
export function writePaymentComplete(context: PaymentContext): string {
  return write({ type: "STRIPE_PAYMENT_COMPLETE", payload: { context }, origin: "react" });
}
