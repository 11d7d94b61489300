/** What a member is told of their cashback's changes (product.md C3, M9). Pure. */
import type { CashbackState } from "../cashback/cashback-view.ts";
import type { CashbackChangeKind } from "../cashback/rules.ts";
import type { OptOutKind, UnsubscribeSubject } from "../mail-choices/rules.ts";

/** Which choice of the member's decides about a change. */
export const CHOICE_OF: Record<CashbackChangeKind, Extract<OptOutKind, `cashback-${string}`>> = {
  tracked: "cashback-tracked",
  reinstated: "cashback-tracked",
  amended: "cashback-confirmed",
  confirmed: "cashback-confirmed",
  payable: "cashback-confirmed",
  declined: "cashback-confirmed",
  corrected: "cashback-confirmed",
  paid: "cashback-paid",
};

export interface Change {
  entryId: string;
  version: number;
  change: CashbackChangeKind;
  /** Where the purchase stands after it. */
  state: CashbackState;
  retailerName: string;
  /** What the purchase is worth to the member after the change; of a correction, the correction. */
  cashbackPence: number;
  /** What it was worth when the member last heard of it; null where they have not. Of a correction, before it. */
  wasPence: number | null;
  reasonCode: string | null;
}

/**
 * Of several changes of one purchase, only the last is news, in order of the purchases, with the amount that the member last heard of. An amount that
 * has come back to that, and a change of the club's own share, are no news. Where the member has heard of none, the purchase is the news.
 */
export function newsAmong(changes: readonly Change[], wanted: ReadonlySet<OptOutKind>): Change[] {
  const first = new Map<string, Change>();
  const latest = new Map<string, Change>();
  for (const change of changes) {
    const { entryId, version } = change;
    if (version < (first.get(entryId)?.version ?? Infinity)) first.set(entryId, change);
    if (version > (latest.get(entryId)?.version ?? 0)) latest.set(entryId, change);
  }
  return [...latest.values()]
    .map((change) => ({ ...change, wasPence: first.get(change.entryId)?.wasPence ?? null }))
    .map((news) => (news.change === "amended" && news.wasPence === null ? { ...news, change: news.state } : news))
    .filter((news) => wanted.has(CHOICE_OF[news.change]) && isNews(news));
}

function isNews({ change, cashbackPence, wasPence }: Change): boolean {
  if (change === "amended") return wasPence !== cashbackPence;
  return change !== "corrected" || cashbackPence !== 0;
}

/** What an amount was and is, where a mail has to say both; null where it has not changed. */
export function amountsOf({ change, cashbackPence, wasPence }: Change): { wasPence: number; isPence: number } | null {
  if (wasPence === null || change === "declined") return null;
  if (change === "corrected") return { wasPence, isPence: wasPence + cashbackPence };
  return wasPence === cashbackPence ? null : { wasPence, isPence: cashbackPence };
}

/** What the mail's link ends: the one kind it is about, or all about cashback. */
export function subjectOf(news: readonly Change[]): UnsubscribeSubject {
  const kinds = new Set(news.map(({ change }) => CHOICE_OF[change]));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : "cashback";
}

/** How long the first change waits for others to share its mail: the rows of one report come within moments. */
export const gatherMs = 5_000;
/** Purchases that one mail lists. More stay for the next. */
export const mostPerMail = 50;
