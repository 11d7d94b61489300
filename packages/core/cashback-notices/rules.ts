/** Decides which changes of cashback a member gets a mail about (C3, M9). Pure. */
import type { CashbackState } from "../cashback/cashback-view.ts";
import type { CashbackChangeKind } from "../cashback/rules.ts";
import type { OptOutKind, UnsubscribeSubject } from "../mail-choices/rules.ts";

/** The mail choice that each kind of change falls under. */
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
  /** The purchase's state after the change. */
  state: CashbackState;
  retailerName: string;
  /** The purchase's cashback after the change. For a correction: the amount that it adds or takes away. */
  cashbackPence: number;
  /**
   * The cashback before the change, or null if there was none. For a correction: the amount before it. `newsAmong`
   * replaces it with the amount that the member was last told of.
   */
  wasPence: number | null;
  reasonCode: string | null;
  /** It was paid as a gift card, whose receipt has told the member. */
  isByGiftCard: boolean;
}

/**
 * Returns the changes that go into a mail: the last change of each purchase, in the order of the purchases, with the
 * amount that the member was last told of. Leaves out kinds that the member does not want, amounts that are back where
 * they were, corrections of the club's share alone, purchases that earn nothing, and those that were taken as a gift card. If a purchase is amended before its
 * first mail, the mail announces its state and no amendment; if a step leaves nothing of an amount, the mail announces
 * that alone.
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
    .map((news) => (losesAll(news) ? { ...news, change: "amended" as const } : news))
    .filter((news) => wanted.has(CHOICE_OF[news.change]) && isNews(news));
}

function losesAll({ change, cashbackPence, wasPence }: Change): boolean {
  return cashbackPence === 0 && wasPence !== null && wasPence !== 0 && change !== "declined" && change !== "corrected";
}

function isNews({ change, cashbackPence, wasPence, isByGiftCard }: Change): boolean {
  if (change === "paid" && isByGiftCard) return false;
  if (change === "amended") return wasPence !== cashbackPence;
  return cashbackPence !== 0 || (change === "declined" && wasPence !== null && wasPence !== 0);
}

/** Returns the old and the new amount, or null if the mail states one amount only. */
export function amountsOf({ change, cashbackPence, wasPence }: Change): { wasPence: number; isPence: number } | null {
  if (wasPence === null || change === "declined") return null;
  if (change === "corrected") return { wasPence, isPence: wasPence + cashbackPence };
  return wasPence === cashbackPence ? null : { wasPence, isPence: cashbackPence };
}

/** Returns what the mail's link unsubscribes from: the one kind that the mail is about, or all cashback mails. */
export function subjectOf(news: readonly Change[]): UnsubscribeSubject {
  const kinds = new Set(news.map(({ change }) => CHOICE_OF[change]));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : "cashback";
}

/** How long a change waits for others, so that the rows of one report share a mail. */
export const GATHER_MS = 5_000;
/** Maximum number of changes in one mail. Others wait for the next. */
export const MAX_PER_MAIL = 50;
