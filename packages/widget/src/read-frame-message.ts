import type { FrameMessage } from "./messages.ts";
import { isFiniteNumber, isString, optionalOrNull, readJsonMessage, shape } from "./read-json-message.ts";

/** Above any purchase through the widget, and below where a number stops being written as plain digits. */
const TOO_MANY_POUNDS = 1e6;

const openUrl = shape({ url: isString, newTab: optionalOrNull((value) => typeof value === "boolean") });

const payloads = {
  STRIPE_PAYMENT_INTENT: shape({
    clientSecret: isString,
    ephemeralKey: isString,
    customerId: isString,
    paymentAmount: (value) => isFiniteNumber(value) && (value as number) > 0 && (value as number) < TOO_MANY_POUNDS,
    color: (value) => value === undefined || isString(value),
    context: shape({ token: isString }),
  }),
  OPEN_URL: openUrl,
  REDIRECT_PAYMENT: openUrl,
  RESIZE: shape({ identifier: optionalOrNull(isString), height: isFiniteNumber, width: isFiniteNumber }),
  NAVIGATION_NO_BACK: shape({ url: isString }),
};

/** A message of the iframe, or undefined for anything that is not one of the four shapes (seed section 5, W3). */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  return readJsonMessage(data, payloads) as FrameMessage | undefined;
}
