import { tokenLifeMs } from "./token-rules.ts";

/** An address of a member's, as far as it matters for who may take the account back. */
export interface Titled {
  id: string;
  /** Since when it has been one that was the main one; null: it was only ever added. */
  mainSince: Date | null;
}

/**
 * Whether an address that loses something to another is sent a link that takes it back (product.md S1). Only one that has been the main one is, and only before
 * a later one: an address that a thief adds gets no way back when it is thrown out, however long it has lain there. One that became the main one within the time
 * of such a link counts only while no earlier one is left, since the earlier one's owner can still object to it.
 */
export function mayTakeBack(
  loser: Titled,
  { gaining, others, now }: { gaining: Titled | null; others: readonly Titled[]; now: Date },
): boolean {
  const since = loser.mainSince;
  if (since === null) return false;
  const isEarlier = (other: Titled) => other.id !== loser.id && other.mainSince !== null && other.mainSince < since;
  if (gaining && isEarlier(gaining)) return false;
  return isUncontested(loser, now) || !others.some(isEarlier);
}

/** Whether the time is over in which the address before it could take the account back. */
function isUncontested({ mainSince }: Titled, now: Date): boolean {
  return mainSince !== null && now.getTime() - mainSince.getTime() > tokenLifeMs["undo-email-change"];
}

/** Addresses that stop counting as ones that were the main one when `wanted` becomes it: later ones, where an earlier one comes back, and one that did not last. */
export function titlesLost(
  wanted: Titled,
  { main, others, now }: { main: Titled; others: readonly Titled[]; now: Date },
): string[] {
  const { mainSince } = wanted;
  if (mainSince !== null)
    return others.filter((other) => other.mainSince !== null && other.mainSince > mainSince).map(({ id }) => id);
  const hasEarlier = others.some(
    (other) => other.mainSince !== null && main.mainSince !== null && other.mainSince < main.mainSince,
  );
  return hasEarlier && !isUncontested(main, now) ? [main.id] : [];
}
