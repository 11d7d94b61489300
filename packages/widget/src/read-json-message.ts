/** Nothing the protocol carries comes near this; bigger strings are not even parsed. */
const LARGEST_MESSAGE = 65_536;

type Check = (value: unknown) => boolean;
type JsonObject = Record<string, unknown>;

export const isString: Check = (value) => typeof value === "string";
export const isFiniteNumber: Check = Number.isFinite;

/** Absent, null, or what the check accepts. */
export const optionalOrNull =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);

/**
 * An object whose own properties pass their checks in the order given: only what the message itself says counts, whatever has been put
 * on Object.prototype. Other fields are allowed and kept.
 */
export const shape =
  (checks: Record<string, Check>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(checks).every((key) =>
      checks[key]!(Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined),
    );

/**
 * Reads the data of a window message against a table of payload shapes by type (seed section 5).
 * Gives the message, or undefined for everything else: wrong data never throws and is never reported. The caller has checked source and
 * origin first.
 */
export function readJsonMessage(
  data: unknown,
  payloads: Record<string, Check>,
): { type: string; payload: unknown } | undefined {
  if (typeof data !== "string" || data.length > LARGEST_MESSAGE) return undefined;
  try {
    const message = JSON.parse(data, (key, value: unknown) => (key === "__proto__" ? undefined : value)) as {
      type: string;
      payload: unknown;
    };
    const isMessage = shape({
      type: (type) => isString(type) && Object.hasOwn(payloads, type as string),
      payload: (payload) => payloads[message.type]!(payload),
    });
    return isMessage(message) ? { type: message.type, payload: message.payload } : undefined;
  } catch {
    return undefined; // not JSON: some other script's message
  }
}
