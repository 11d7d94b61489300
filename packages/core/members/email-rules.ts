import { tokenLifeMs } from "./token-rules.ts";

/** One of a member's addresses, with the facts that decide who may take the account back. */
export interface Titled {
  id: string;
  /** Since when the address has been, or had been, the main one; null if it was only ever added. */
  mainSince: Date | null;
}

/**
 * Returns whether an address that loses something to another one gets a link that takes it back (S1). Only an address
 * that has been the main one gets the link, and only against a later one: an address that a thief added gets no way
 * back when it is removed, however long it was there. An address that became the main one less than the lifetime of
 * such a link ago gets one only if no earlier one is left, because the owner of an earlier one can still object.
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

/** Returns whether the period is over in which the previous main address could take the account back. */
function isUncontested({ mainSince }: Titled, now: Date): boolean {
  return mainSince !== null && now.getTime() - mainSince.getTime() > tokenLifeMs["undo-email-change"];
}

/**
 * Returns the ids of addresses that lose their `mainSince` when `wanted` becomes the main address: later ones if an
 * earlier one returns, and a main address that another one can still contest.
 */
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
