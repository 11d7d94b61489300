import { TROUBLE_ADVICE } from "@farthing/core/gift-cards/retailer-trouble.ts";
import type { WalletCardPage } from "@farthing/core/gift-cards/wallet.server.ts";
import { href } from "react-router";
import { Notice } from "../../ui/text/notice.tsx";
import { presentWords } from "./wallet-words.ts";

export const CARD_NOTES = [
  "ready",
  "used",
  "unused",
  "spent",
  "removed",
  "balance",
  "no-check",
  "issuer-unavailable",
  "taken-back",
] as const;

const notes = {
  ready: ["good", "Thank you. Now press the button below.", "We had to be sure that it is you."],
  used: ["good", "Marked as used", "We do not write to you about this card again."],
  unused: ["good", "It is to use again", "We remind you before it expires."],
  spent: ["good", "Noted", "What is left is below."],
  removed: ["good", "Removed", "What is left is below."],
  balance: ["good", "The issuer has answered", "What is left is below."],
  "no-check": [
    "info",
    "This card has no balance check",
    "The issuer can’t say what is left. Your receipt from the till does, and you can note it here.",
  ],
  "issuer-unavailable": [
    "warn",
    "The issuer does not answer",
    "Nothing has changed. Please try again in a few minutes.",
  ],
  "taken-back": [
    "good",
    "The present is taken back",
    "The card is yours again, and the link in the mail opens nothing.",
  ],
} as const satisfies Record<(typeof CARD_NOTES)[number], readonly [string, string, string]>;

/** What the last form did. */
export function CardNote({ note }: { note: (typeof CARD_NOTES)[number] | null }) {
  if (!note) return null;
  const [tone, title, text] = notes[note];
  return (
    <Notice tone={tone} isUrgent title={title}>
      <p>{text}</p>
    </Notice>
  );
}

/** What its owner has to know of a card before anything else. */
export function CardStanding({ card, now }: { card: WalletCardPage; now: Date }) {
  const { publicId, present, state, stop, usedAt } = card;
  return (
    <>
      {state !== "issued" && (
        <Notice tone="warn" title="The card is being taken back">
          <p>It is refunded, as agreed with you, or it comes back here. We write to you.</p>
        </Notice>
      )}
      {present && (
        <Notice tone="info" title="This card is a present">
          <p>
            {presentWords(present, now)} You can’t see its code.{" "}
            <a href={href("/money/gift-cards/:card/gift", { card: publicId })}>See the present</a>
          </p>
        </Notice>
      )}
      {stop && !usedAt && (
        <Notice
          tone={stop.isInsolvent ? "bad" : "info"}
          title={stop.isInsolvent ? "The shop is in trouble: use the card now" : "We have stopped selling this card"}
        >
          <p>
            {stop.because}
            {/[.!?]$/.test(stop.because) ? "" : "."}{" "}
            {stop.isInsolvent
              ? `${TROUBLE_ADVICE} If yours is refused, keep it and write to us.`
              : "Yours stays valid."}
          </p>
        </Notice>
      )}
    </>
  );
}
