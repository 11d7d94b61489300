import { retryAfter } from "../due-work/rules.ts";
import { tokenLifeMs } from "../members/token-rules.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * When a request that could not be answered is tried again: six attempts in about two hours. Whoever still waits for the
 * link by then has asked again.
 */
export const nextResetAttempt = retryAfter([10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 90 * MINUTE_MS]);

/** Number of reset mails a day that an address gets immediately; the slower pace begins after them. */
export const PROMPT_RESET_MAILS = 3;

/** Lifetime of a link of the slower pace. */
export const SLOW_RESET_LIFE_MS = 12 * 60 * 60 * 1000;

export interface SentResets {
  /** Number of links sent to the address in the last 24 hours. */
  sentInDay: number;
  /** The unused link that expires last, or null if none is valid. */
  longest: { createdAt: Date; expiresAt: Date } | null;
}

/**
 * Returns whether a request for a new password is answered by another mail, and how long its link works. Strangers can
 * request in anybody's name, so no number of requests may silence the owner: a mail is left out only while the mailbox
 * has a link with at least half its lifetime left. After three mails in a day each link works for twelve hours, which
 * limits a mailbox to eight mails a day, however many requests there are.
 */
export function answerToReset(
  { sentInDay, longest }: SentResets,
  now: Date,
): { sends: false } | { sends: true; lifeMs: number } {
  if (sentInDay < PROMPT_RESET_MAILS) return { sends: true, lifeMs: tokenLifeMs["reset-password"] };
  if (longest) {
    const life = longest.expiresAt.getTime() - longest.createdAt.getTime();
    if (longest.expiresAt.getTime() - now.getTime() >= life / 2) return { sends: false };
  }
  return { sends: true, lifeMs: SLOW_RESET_LIFE_MS };
}
