import { v7, validate } from "uuid";

/** Returns a new UUIDv7 (RFC 9562). Such ids sort by the time of their creation, so that indexes grow at one end. */
export function newId(): string {
  return v7();
}

/** Returns whether a text is a UUID, which a column of ids can be compared with. */
export function isUuid(text: string): boolean {
  return validate(text);
}
