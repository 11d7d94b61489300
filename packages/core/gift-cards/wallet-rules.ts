/** The wallet: what is left on a card, and when its owner is reminded (G6). Pure. */
import { retryDoubling } from "../due-work/rules.ts";
import { pence, sumPence, type Pence } from "../money/money.ts";
import { londonDate } from "../registration/rules.ts";
import { londonTime } from "./presents-rules.ts";

export interface Spend {
  amountPence: Pence;
  notedAt: Date;
}

/** What an issuer said is left on a card. */
export interface ReadBalance {
  leftPence: Pence;
  readAt: Date;
}

/**
 * Returns what is left on a card: what the issuer said last, without what was noted since; without such an answer, the
 * value without everything noted. Never below zero.
 */
export function leftOn(card: { facePence: Pence; spends: readonly Spend[]; read: ReadBalance | null }): Pence {
  const { facePence, spends, read } = card;
  const since = read === null ? spends : spends.filter(({ notedAt }) => notedAt > read.readAt);
  const spent = sumPence(since.map(({ amountPence }) => amountPence));
  return pence(Math.max(0, (read?.leftPence ?? facePence) - spent));
}

/** A card's owner is reminded so many days before it expires. */
export const REMINDERS = [30, 7] as const;
export type Reminder = (typeof REMINDERS)[number];

const DAY_MS = 86_400_000;
/** The hour in London at which reminders are sent. */
const REMIND_HOUR = 9;

/** When a notice that failed is tried again. Never given up. */
export const nextNoticeAttempt = retryDoubling({ firstMs: 60_000, maxMs: 30 * 60_000 });

/** Returns when a reminder is due: at 9:00 in London, so many days before the card expires (YYYY-MM-DD). */
export function reminderAt(expiresOn: string, days: Reminder): Date {
  const day = new Date(Date.parse(expiresOn) - days * DAY_MS).toISOString().slice(0, 10);
  return londonTime(day, REMIND_HOUR);
}

/** Returns when the next reminder is due; null: none is. A reminder whose time was before the card was issued is left out. */
export function nextReminder(expiresOn: string | null, after: Date): Date | null {
  if (expiresOn === null) return null;
  return REMINDERS.map((days) => reminderAt(expiresOn, days)).find((at) => at > after) ?? null;
}

/** Returns the reminder that is due now and was not sent; null: none is. `reminded`: the last one that was sent. */
export function dueReminder(
  { expiresOn, reminded, issuedAt }: { expiresOn: string | null; reminded: Reminder | null; issuedAt: Date },
  now: Date,
): Reminder | null {
  if (expiresOn === null || isExpired(expiresOn, now)) return null;
  // The later one first: a worker that was away for a month sends one mail.
  const due = REMINDERS.toReversed().find((days) => {
    const at = reminderAt(expiresOn, days);
    return at <= now && at > issuedAt;
  });
  return due !== undefined && (reminded === null || due < reminded) ? due : null;
}

/** Returns whether a card can't be used any more: it is valid until the end of its last day in London. */
export function isExpired(expiresOn: string | null, now: Date): boolean {
  return expiresOn !== null && londonDate(now) > expiresOn;
}
