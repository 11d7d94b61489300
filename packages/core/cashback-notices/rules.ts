/** What a member is told of their cashback's changes (product.md C3, M9). Pure. */
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
  retailerName: string;
  /** What the purchase is worth to the member after the change; of a correction, the correction. */
  cashbackPence: number;
  reasonCode: string | null;
}

/** Of several changes of one purchase, only the last is news, in order of the purchases. */
export function newsAmong(changes: readonly Change[], wanted: ReadonlySet<OptOutKind>): Change[] {
  const latest = new Map<string, Change>();
  for (const change of changes) {
    const known = latest.get(change.entryId);
    if (!known || known.version < change.version) latest.set(change.entryId, change);
  }
  return [...latest.values()].filter(({ change }) => wanted.has(CHOICE_OF[change]));
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
