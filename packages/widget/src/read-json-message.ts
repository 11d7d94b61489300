/** Longer strings are not parsed. The protocol's messages are far shorter. */
const MAX_MESSAGE_LENGTH = 65_536;

type Check = (value: unknown) => boolean;
type JsonObject = Record<string, unknown>;

export const isString: Check = (value) => typeof value === "string";
export const isFiniteNumber: Check = Number.isFinite;

/** Accepts undefined, null, and what the check accepts. */
export const optionalOrNull =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);

/**
 * Accepts an object whose own properties pass their checks, in the given order. Inherited properties do not count, in case a script has
 * changed Object.prototype. Other fields are allowed and kept.
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
 * Reads the data of a window message with a table of payload shapes by type (W3). Returns undefined for anything else: invalid data never
 * throws and is not reported. The caller must check the message's source and origin first.
 */
export function readJsonMessage(
  data: unknown,
  payloads: Record<string, Check>,
): { type: string; payload: unknown } | undefined {
  if (typeof data !== "string" || data.length > MAX_MESSAGE_LENGTH) return undefined;
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
    return undefined; // not JSON: a message of another script
  }
}
