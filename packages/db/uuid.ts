import { randomFillSync } from "node:crypto";
import { v7, validate } from "uuid";

/** Returns a new UUIDv7 (RFC 9562). Such ids sort by the time of their creation, so that indexes grow at one end. */
export function newId(): string {
  return v7();
}

const pool = new Uint8Array(16 * 512);
let used = pool.length;

/**
 * Returns a new UUIDv7 for one of thousands of rows. Those of the same millisecond are in no order, as those of two processes are, and the random bytes
 * of 512 are drawn together, which takes a tenth of the time. No byte is used twice.
 */
export function newIdOfMany(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return v7({ random: pool.subarray(used - 16, used) });
}

/** Returns whether a text is a UUID, which a column of ids can be compared with. */
export function isUuid(text: string): boolean {
  return validate(text);
}
