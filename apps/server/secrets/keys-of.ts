import type { Config } from "../env.ts";
import { deriveKey } from "./derive-key.ts";

/**
 * Returns the current key for a purpose, then those of the old secrets: what these signed or encrypted can still
 * be read.
 */
export function keysOf(
  { secret, oldSecrets }: Pick<Config, "secret" | "oldSecrets">,
  purpose: Parameters<typeof deriveKey>[1],
): [string, ...string[]] {
  return [deriveKey(secret, purpose), ...oldSecrets.map((old) => deriveKey(old, purpose))];
}
