import { v7 } from "uuid";

/** A new UUIDv7 (RFC 9562): ids that sort by the time they were made, so that indexes grow at one end. */
export function newId(): string {
  return v7();
}
