/** Presents: gift cards that are given to somebody, who opens them without an account, once (G6). Pure. */
import { retryDoubling } from "../due-work/rules.ts";
import { londonDate } from "../registration/rules.ts";
import type { GiftDesign } from "./gift.ts";
import type { LineState } from "./rules.ts";

/** All transitions of a present; check_gift_card_present_change.sql enforces the same pairs. */
export const PRESENT_TRANSITIONS = {
  planned: ["sent", "taken_back"],
  sent: ["bounced", "opened", "planned", "taken_back"],
  // Mail servers that refuse a mail sometimes deliver it all the same.
  bounced: ["opened", "planned", "taken_back"],
  opened: [],
  taken_back: [],
} as const satisfies Record<string, readonly string[]>;

export type PresentState = keyof typeof PRESENT_TRANSITIONS;

/** Returns whether a present can be changed, sent again or taken back: nobody has opened it. */
export function isOpenToChange(state: PresentState): boolean {
  return PRESENT_TRANSITIONS[state].some((to) => (to as PresentState) === "taken_back");
}

/** Returns whether a card never comes back to whoever bought it: the money does, or their bank has returned it. */
export function isCardGone(state: LineState): boolean {
  return state === "refunding" || state === "refunded" || state === "charged_back";
}

/** Maximum number of mails with one present: nobody is mailed again and again. */
export const MAX_SENDS = 5;

/** The hour in London at which presents are sent. */
const SEND_HOUR = 8;

/** When a present whose step failed is tried again: after 15 s, 30 s, 1 min …, then every 30 minutes. Never given up. */
export const nextPresentAttempt = retryDoubling({ firstMs: 15_000, maxMs: 30 * 60_000 });

/** Returns when a present is sent: at 8:00 in London on its day, or now if that has begun. `sendOn`: YYYY-MM-DD, or null. */
export function sendAt(sendOn: string | null, now: Date): Date {
  if (sendOn === null || sendOn <= londonDate(now)) return now;
  return londonTime(sendOn, SEND_HOUR);
}

const londonHour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/London", hour: "numeric", hourCycle: "h23" });

/** Returns the moment of a whole hour of a London day (YYYY-MM-DD), from 3:00 on: clocks change before. */
export function londonTime(day: string, hour: number): Date {
  const asUtc = new Date(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
  const ahead = Number(londonHour.format(asUtc)) - hour;
  return new Date(asUtc.getTime() - ahead * 3_600_000);
}

/** How a present is announced: its name in forms, and the first words of its mail and its page. */
export const designWords: Readonly<Record<GiftDesign, { label: string; greeting: string }>> = {
  birthday: { label: "Happy birthday", greeting: "Happy birthday" },
  thanks: { label: "Thank you", greeting: "Thank you" },
  celebration: { label: "Congratulations", greeting: "Congratulations" },
  plain: { label: "Without an occasion", greeting: "A present for you" },
};
