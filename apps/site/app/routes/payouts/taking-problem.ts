import { LIMITS } from "@farthing/core/gift-cards/rules.ts";
import { formatPence, formatPounds } from "@farthing/core/money/money.ts";
import type { RequestedGiftCard } from "@farthing/core/gift-cards/take-cashback.server.ts";

/** Why cashback was not taken as a gift card, and what to do. Nothing was taken in every case. */
export function takingProblem(asked: Exclude<RequestedGiftCard, { outcome: "requested" }>, name: string): string {
  switch (asked.outcome) {
    case "key-taken":
      return "This page was used for another card. It is up to date now: press the button again.";
    case "already":
      return "Another withdrawal of yours is under way. When it is over, you can take this card.";
    case "on-hold":
      return "Withdrawals are on hold, because we have a question about your account. See your withdrawals for what to do.";
    case "closing":
      return "Your account is being closed. What happens to your money is on the page about closing, in your profile under Privacy.";
    case "signed-out":
      return "You have been logged out meanwhile. Log in again, then take the card.";
    case "too-soon":
      return "Your account was recovered a short time ago. To protect you, gift cards wait for 72 hours.";
    case "below-threshold":
      return `You can withdraw from ${formatPence(asked.thresholdPence)} on, and have ${formatPence(asked.payablePence)}.`;
    case "too-little":
      return `The card costs ${formatPence(asked.costPence)}, and you have ${formatPence(asked.payablePence)}. Choose a smaller value.`;
    case "dearer":
      return `The card costs ${formatPence(asked.costPence)} now. Look at it again, then press the button.`;
    case "not-sold":
      return `${name} is not sold any more. Choose another card.`;
    case "amount-not-offered":
      return `${name} is not sold with this value any more. Choose another value.`;
    case "out-of-stock":
      return `${name} is out of stock. Choose another value or another card.`;
    case "issuer-unavailable":
      return "We can’t reach the maker of the cards at the moment. Try again in a few minutes.";
    case "card-too-large":
      return `One card holds at most ${formatPounds(LIMITS.cardPence)}. Choose a smaller value.`;
    case "too-many-lines":
      return "One card is taken at a time.";
    case "too-much-today":
      return `One person can have gift cards of ${formatPounds(LIMITS.dayPence)} within 24 hours. Choose a smaller value, or come back tomorrow.`;
    case "too-many-today":
      return `One person can have ${LIMITS.dayCards} gift cards within 24 hours. Come back tomorrow.`;
  }
}
