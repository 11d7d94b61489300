import { v7 } from "uuid";

/** Returns a new UUIDv7 (RFC 9562). Such ids sort by the time of their creation, so that indexes grow at one end. */
export function newId(): string {
  return v7();
}
