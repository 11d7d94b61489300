import type { PushReading, RawPush } from "@farthing/core/networks/provider.ts";

/** Names under which a notification may have the action's id; the template decides: `{ActionId}` is Impact's placeholder. */
const NAMES = ["action_id", "ActionId", "actionId"] as const;
/** `1000.4636.158133`: numbers, separated by dots. */
const ACTION_ID = /^\d{1,20}(?:\.\d{1,20}){0,3}$/;

/**
 * Reads Impact's event notification: a GET or POST form, or JSON, as the publisher's template has it. Only the action's id is read: the notification is
 * not signed, and everything else comes from the report.
 */
export function readImpactPush({ contentType, body }: RawPush): PushReading {
  const text = new TextDecoder().decode(body);
  const fields = /^application\/json\b/i.test(contentType)
    ? parseFields(text)
    : /^application\/x-www-form-urlencoded\b/i.test(contentType)
      ? Object.fromEntries(new URLSearchParams(text))
      : null;
  if (fields === null) return { outcome: "unreadable", problem: "it is neither a form nor a JSON object" };
  const id = NAMES.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined)).find(
    (value) => typeof value === "string" && value !== "",
  );
  return typeof id === "string" && ACTION_ID.test(id)
    ? { outcome: "read", networkTransactionId: id }
    : { outcome: "unreadable", problem: "there is no action id in it" };
}

function parseFields(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null; // reported as unreadable; the raw bytes are kept
  }
}
