import type { FrameMessage } from "./messages.ts";
import { isFiniteNumber, isString, optionalOrNull, readJsonMessage, shape } from "./read-json-message.ts";

/** Amounts must be below this: more than any purchase, and small enough to be written without an exponent. */
const POUNDS_LIMIT = 1e6;

const openUrl = shape({ url: isString, newTab: optionalOrNull((value) => typeof value === "boolean") });

const payloads = {
  STRIPE_PAYMENT_INTENT: shape({
    clientSecret: isString,
    ephemeralKey: isString,
    customerId: isString,
    paymentAmount: (value) => isFiniteNumber(value) && (value as number) > 0 && (value as number) < POUNDS_LIMIT,
    color: (value) => value === undefined || isString(value),
    context: shape({ token: isString }),
  }),
  OPEN_URL: openUrl,
  REDIRECT_PAYMENT: openUrl,
  RESIZE: shape({ identifier: optionalOrNull(isString), height: isFiniteNumber, width: isFiniteNumber }),
  NAVIGATION_NO_BACK: shape({ url: isString }),
};

/** Reads a message of the iframe. Returns undefined if it has none of the four shapes (W3). */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  return readJsonMessage(data, payloads) as FrameMessage | undefined;
}
