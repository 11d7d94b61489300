import { missing } from "./card-error.ts";
import { textOf, type Fields } from "./form.ts";

/** Returns a page of a list in the provider's format: `limit` from 1 to 100, after or before an object's id, newest first. */
export function listPage<T extends { id: string }>(
  items: readonly T[],
  query: Fields,
  url: string,
): { object: "list"; data: T[]; has_more: boolean; url: string } {
  const limit = Math.min(Math.max(Number(textOf(query, "limit") ?? 10) || 10, 1), 100);
  const after = textOf(query, "starting_after");
  const before = textOf(query, "ending_before");
  const at = (id: string): number => {
    const index = items.findIndex((item) => item.id === id);
    if (index < 0) throw missing("object", id, "starting_after");
    return index;
  };
  if (before) {
    const end = at(before);
    const start = Math.max(end - limit, 0);
    return { object: "list", data: items.slice(start, end), has_more: start > 0, url };
  }
  const start = after ? at(after) + 1 : 0;
  return { object: "list", data: items.slice(start, start + limit), has_more: items.length > start + limit, url };
}
