import type { HostMessage } from "./messages.ts";
import { isString, readJsonMessage, shape } from "./read-json-message.ts";

const payloads = {
  REDIRECT_CONFIG: shape({ paymentSuccess: shape({ templateUrl: isString, idPlaceholder: isString }) }),
  STRIPE_PAYMENT_COMPLETE: shape({ context: shape({ token: isString }) }),
};

/** Reads a message of the host page, inside the iframe (W3). Returns undefined for anything else. */
export function readHostMessage(data: unknown): Omit<HostMessage, "origin"> | undefined {
  return readJsonMessage(data, payloads) as Omit<HostMessage, "origin"> | undefined;
}
