import { createHash } from "node:crypto";

/**
 * Returns what stands for one press of a form with a key of its own: the same for the same fields, however often it is sent. A form that Back shows again
 * still has its key, so other fields are another press.
 */
export function pressOf(idempotencyKey: string, fields: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([idempotencyKey, ...fields]))
    .digest("base64url");
}
