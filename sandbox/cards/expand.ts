import type { CardStore } from "./card-store.ts";

/** The fields whose id `expand` can replace by the object. */
const expandable: Readonly<Record<string, string>> = {
  customer: "customer",
  payment_intent: "payment_intent",
  payment_method: "payment_method",
  latest_charge: "charge",
  charge: "charge",
  balance_transaction: "balance_transaction",
};

/** Replaces ids by objects, along paths such as "latest_charge" or "data.customer". Ignores paths that do not exist. */
export function expand<T extends object>(store: CardStore, answer: T, paths: readonly string[]): T {
  for (const path of paths) expandAlong(store, answer as Record<string, unknown>, path.split("."));
  return answer;
}

function expandAlong(store: CardStore, place: Record<string, unknown>, [field, ...rest]: string[]): void {
  if (field === undefined) return;
  if (field === "data" && Array.isArray(place.data)) {
    for (const item of place.data as Record<string, unknown>[]) expandAlong(store, item, rest);
    return;
  }
  const kind = expandable[field];
  const value = place[field];
  if (kind && typeof value === "string") place[field] = store.find(kind, value) ?? value;
  const inner = place[field];
  if (typeof inner === "object" && inner !== null) expandAlong(store, inner as Record<string, unknown>, rest);
}
