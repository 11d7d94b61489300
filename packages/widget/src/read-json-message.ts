/** Nothing the protocol carries comes near this; bigger strings are not even parsed. */
const LARGEST_MESSAGE = 65_536;

type Check = (value: unknown) => boolean;
type JsonObject = Record<string, unknown>;

export const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isString: Check = (value) => typeof value === "string";
export const isFiniteNumber: Check = Number.isFinite;
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
/** An object whose own properties pass their checks; other fields are allowed and kept. */
export const shape =
  (checks: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.keys(checks).every((key) => checks[key]!(own(value as JsonObject, key)));

/** Only what the message itself says counts, whatever has been put on Object.prototype. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Reads the data of a window message against a table of payload shapes by type (seed section 5).
 * Gives the message's type and payload, or undefined for everything else: wrong data never throws and is never reported.
 * The caller has checked source and origin first.
 */
export function readJsonMessage(data: unknown, payloads: Record<string, Check>): { type: string; payload: unknown } | undefined {
  if (typeof data !== "string" || data.length > LARGEST_MESSAGE) return undefined;
  let message: JsonObject;
  try {
    message = JSON.parse(data, (key, value: unknown) => (key === "__proto__" ? undefined : value)) as JsonObject;
  } catch {
    return undefined; // not JSON: some other script's message
  }
  if (!isObject(message)) return undefined;
  const type = own(message, "type");
  const payload = own(message, "payload");
  return typeof type === "string" && Object.hasOwn(payloads, type) && payloads[type]!(payload) ? { type, payload } : undefined;
}
