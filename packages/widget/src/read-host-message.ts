import type { HostMessage } from "./messages.ts";
import { isString, readJsonMessage, shape } from "./read-json-message.ts";

const payloads = {
  REDIRECT_CONFIG: shape({ paymentSuccess: shape({ templateUrl: isString, idPlaceholder: isString }) }),
  STRIPE_PAYMENT_COMPLETE: shape({ context: shape({ token: isString }) }),
};

/** A message of the page that holds the iframe, or undefined for anything else (the iframe's side of W3). */
export function readHostMessage(data: unknown): Omit<HostMessage, "origin"> | undefined {
  return readJsonMessage(data, payloads) as Omit<HostMessage, "origin"> | undefined;
}
