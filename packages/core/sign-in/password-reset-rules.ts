import { tokenLifeMs } from "../members/token-rules.ts";

/** Mails with a link that an address gets at once in a day; after them the slower pace begins. */
export const PROMPT_RESET_MAILS = 3;

/** How long a link of the slower pace works. */
export const SLOW_RESET_LIFE_MS = 12 * 60 * 60 * 1000;

export interface SentResets {
  /** Links sent to the address in the last 24 hours. */
  sentInDay: number;
  /** The link that works longest, of those not used and not over. */
  longest: { createdAt: Date; expiresAt: Date } | null;
}

/**
 * Whether a request for a new password is answered by another mail, and how long its link works. Strangers can ask in anybody's name, so no count of requests may
 * silence the owner: a mail is left out only while a link lies in the mailbox that has half its time left. After three mails in a day each link works for twelve
 * hours, which holds a mailbox to eight mails a day however many ask.
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
