import type { GivenPresent, WalletCard } from "@farthing/core/gift-cards/wallet.server.ts";
import { dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { noonOf } from "../claims/claim-words.ts";

/** Returns what became of a present, for its giver. */
export function presentWords({ state, recipientName, sendOn, sentAt, openedAt }: GivenPresent, now: Date): string {
  const who = recipientName ?? "a friend";
  switch (state) {
    case "planned":
      return `A present for ${who}: we send it on ${dayAndMonth(noonOf(sendOn), now)}.`;
    case "sent":
      return sentAt
        ? `A present for ${who}: sent on ${dayAndMonth(sentAt, now)}, not opened yet.`
        : `A present for ${who}: the mail is on its way.`;
    case "bounced":
      return `A present for ${who}: the mail could not be delivered.`;
    case "opened":
      return `A present: ${who} opened it${openedAt ? ` on ${dayAndMonth(openedAt, now)}` : ""}.`;
    case "taken_back":
      return "";
  }
}

/** Returns until when a card can be used. */
export function expiryWords({ expiresOn, isExpired }: Pick<WalletCard, "expiresOn" | "isExpired">): string {
  if (expiresOn === null) return "No date of expiry known.";
  const day = longDate(noonOf(expiresOn));
  return isExpired ? `Expired: its last day was ${day}.` : `Valid until ${day}.`;
}

/** Returns the tag of a card. */
export function tagOf(card: WalletCard): { label: string; tone: string } | null {
  const { present, usedAt, isExpired, stop, state } = card;
  if (state !== "issued") return { label: "Being taken back", tone: "is-warn" };
  if (present?.state === "opened") return { label: "Given", tone: "" };
  if (present?.state === "bounced") return { label: "Not delivered", tone: "is-bad" };
  if (present) return { label: "Present", tone: "is-good" };
  if (usedAt) return { label: "Used", tone: "" };
  if (isExpired) return { label: "Expired", tone: "is-bad" };
  if (stop?.isInsolvent) return { label: "Use it soon", tone: "is-bad" };
  return null;
}
