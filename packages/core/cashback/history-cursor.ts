/**
 * Where a page of a member's history begins: after or before one of their entries, in the order that the page shows.
 * Entries are never deleted and keep their place, so a link to a page stays good while purchases are added.
 */
export type HistoryPlace = { olderThan: string } | { newerThan: string } | null;

/** The id of no entry. */
const NO_ENTRY = "00000000-0000-0000-0000-000000000000";

/** Returns the text that stands for an entry in an address: the 16 bytes of its id in base64url. */
export function cursorOf(entryId: string): string {
  const bytes = entryId.replaceAll("-", "").match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Returns the id that a cursor stands for. Text that is no cursor stands for no entry, so that it is answered as an unknown one. */
export function entryIdOf(cursor: string): string {
  if (!/^[A-Za-z0-9_-]{22}$/.test(cursor)) return NO_ENTRY;
  const hex = [...atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))]
    .map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
