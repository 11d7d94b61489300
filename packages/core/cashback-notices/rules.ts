/** Which changes of cashback a member is told of (C3, M9). Pure. */
import type { CashbackState } from "../cashback/cashback-view.ts";
import type { CashbackChangeKind } from "../cashback/rules.ts";
import type { OptOutKind, UnsubscribeSubject } from "../mail-choices/rules.ts";

/** The mail choice of the member that decides about a change. */
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
  /** The state after the change. */
  state: CashbackState;
  retailerName: string;
  /** The purchase's cashback after the change; for a correction, the correction's own amount. */
  cashbackPence: number;
  /** The cashback that the member was last told of, null where they were told of none; for a correction, the amount before it. */
  wasPence: number | null;
  reasonCode: string | null;
}

/**
 * Returns the last change of each purchase, in the order of purchases, with the amount that the member was last told of. Leaves out amounts that are
 * back at that, and changes of the club's share alone. An amendment of a purchase that the member was never told of becomes the purchase's state.
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

/** Returns the old and new amount where the mail states both; null where the amount has not changed. */
export function amountsOf({ change, cashbackPence, wasPence }: Change): { wasPence: number; isPence: number } | null {
  if (wasPence === null || change === "declined") return null;
  if (change === "corrected") return { wasPence, isPence: wasPence + cashbackPence };
  return wasPence === cashbackPence ? null : { wasPence, isPence: cashbackPence };
}

/** Returns what the mail's unsubscribe link ends: the one kind that the mail is about, or all cashback mails. */
export function subjectOf(news: readonly Change[]): UnsubscribeSubject {
  const kinds = new Set(news.map(({ change }) => CHOICE_OF[change]));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : "cashback";
}

/** How long the first change waits for others to share its mail: the rows of one report arrive within moments. */
export const GATHER_MS = 5_000;
/** Maximum number of purchases in one mail. More wait for the next. */
export const MAX_PER_MAIL = 50;
