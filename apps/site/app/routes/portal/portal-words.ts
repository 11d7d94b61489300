import type { CheckoutAnswer } from "@farthing/core/gift-cards/checkout.server.ts";
import type { BasketAnswer } from "@farthing/core/gift-cards/basket.server.ts";
import type { BuyersLine } from "@farthing/core/gift-cards/buyer-orders.server.ts";
import type { CardAmounts } from "@farthing/core/gift-cards/issuer.ts";
import type { GiftDesign } from "@farthing/core/gift-cards/gift.ts";
import { troubleWords, type TroubledStatus } from "@farthing/core/gift-cards/retailer-trouble.ts";
import {
  isOffered,
  LIMITS,
  priceOf,
  refundedBecause,
  type OrderProgress,
  type Terms,
} from "@farthing/core/gift-cards/rules.ts";
import { formatPounds, formatRate, type Pence } from "@farthing/core/money/money.ts";
import type { PaymentState } from "@farthing/core/payments/rules.ts";

/** Returns the values that a card may have: `£10, £25 or £50`, or `£5 to £200`. */
export function amountsInWords(amounts: CardAmounts): string {
  if (amounts.kind === "range")
    return `${formatPounds(amounts.minPence)} to ${formatPounds(buyableMax(amounts.maxPence))}`;
  const values = amounts.amountsPence.filter((face) => face <= LIMITS.cardPence).map(formatPounds);
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

/** Returns the help of a field for a value within a range. */
export function rangeHelp({ minPence, maxPence, stepPence }: Extract<CardAmounts, { kind: "range" }>): string {
  const range = `From ${formatPounds(minPence)} to ${formatPounds(buyableMax(maxPence))}`;
  return stepPence === 1 ? `${range}, to the penny` : `${range}, in steps of ${formatPounds(stepPence)}`;
}

const buyableMax = (maxPence: Pence) => Math.min(maxPence, LIMITS.cardPence);

/** Returns a value for an example: the one nearest to £25 that the card may have. */
export function exampleValue(amounts: CardAmounts): Pence {
  if (isOffered(amounts, 2500)) return 2500;
  if (amounts.kind === "range") {
    const { minPence, maxPence, stepPence } = amounts;
    const steps = Math.round((Math.min(Math.max(2500, minPence), maxPence) - minPence) / stepPence);
    return minPence + Math.min(steps, Math.floor((maxPence - minPence) / stepPence)) * stepPence;
  }
  return amounts.amountsPence.reduce((best, face) => (Math.abs(face - 2500) < Math.abs(best - 2500) ? face : best));
}

/** What a buyer gets of a card. */
export interface RewardWords {
  /** For a list: `4% off`, `4% back`, or null: nothing. */
  short: string | null;
  /** A sentence with an example in pounds. */
  long: string;
}

/** Returns what a buyer gets: a discount for everybody, cashback for members (`priceOf`). */
export function rewardInWords(terms: Terms, amounts: CardAmounts, { isMember }: { isMember: boolean }): RewardWords {
  const face = exampleValue(amounts);
  const { pricePence, cashbackPence } = priceOf(terms, face, { isMember });
  const card = `a ${formatPounds(face)} card`;
  if (pricePence < face)
    return {
      short: `${formatRate(terms.rewardBp)} off`,
      long: `${formatRate(terms.rewardBp)} off: ${card} costs ${formatPounds(pricePence)}.`,
    };
  if (cashbackPence > 0)
    return {
      short: `${formatRate(terms.rewardBp)} back`,
      long: `${formatRate(terms.rewardBp)} back: you pay ${formatPounds(face)} for ${card}, and get ${formatPounds(cashbackPence)} as cashback.`,
    };
  return { short: null, long: `${card[0]?.toUpperCase()}${card.slice(1)} costs ${formatPounds(face)}.` };
}

export function whereInWords(redeemableAt: readonly ("online" | "in-store")[]): string {
  if (redeemableAt.length > 1) return "Online and in shops";
  return redeemableAt[0] === "online" ? "Online only" : "In shops only";
}

export function expiryInWords(months: number | null): string {
  if (months === null) return "Does not expire";
  if (months % 12 === 0)
    return months === 12 ? "Expires a year after you buy it" : `Expires ${months / 12} years after you buy it`;
  return `Expires ${months} months after you buy it`;
}

/** Why a card is not sold now, on its page. Buyers may have seen the shop in the news. */
export function notSoldInWords(trouble: TroubledStatus | null): string {
  return trouble === null
    ? "This card is not sold at the moment."
    : `${troubleWords[trouble]} We don’t sell its gift cards.`;
}

/** Why a change of the basket was refused, and what to do; null: it was made. */
export function basketProblem(answer: BasketAnswer, amounts: CardAmounts | null): string | null {
  switch (answer) {
    case "done":
      return null;
    case "full":
      return `A basket holds ${LIMITS.orderLines} cards. Pay for these first, then buy more.`;
    case "not-sold":
      return "This card is not sold any more. Choose another one.";
    case "amount-not-offered":
      return amounts === null
        ? "The card is not sold with this value. Choose another one."
        : amounts.kind === "range"
          ? `Enter a value ${rangeHelp(amounts).replace(/^From/, "from")}, like ${formatPounds(exampleValue(amounts)).slice(1)}.`
          : `Choose ${amountsInWords(amounts)}.`;
    case "card-too-large":
      return `One card holds at most ${formatPounds(LIMITS.cardPence)}. Choose a smaller value, or two cards.`;
    case "gone":
      return "This card is not in the basket any more. Another tab of yours has removed it.";
  }
}

/** Why an order was not placed, and what to do. The basket is kept in every case. */
export function checkoutProblem(
  answer: Exclude<CheckoutAnswer, { outcome: "placed" }>,
  names: readonly string[],
): string {
  const card = "card" in answer ? (names[answer.card] ?? "One card") : "One card";
  switch (answer.outcome) {
    case "changed":
      return "Your basket has changed in another tab. Look at it again, then continue.";
    case "empty":
      return "Your basket is empty. Choose a card first.";
    case "no-email":
      return "Enter your e-mail address, like robin@example.org. The receipt goes there.";
    case "present-too-late":
      return `The day on which ${card} was to be sent is over. Choose another day for this present.`;
    case "key-taken":
      return "This page was used for another order. It is up to date now: press the button again.";
    case "not-sold":
      return `${card} is not sold any more. Remove it, then continue with the others.`;
    case "amount-not-offered":
      return `${card} is not sold with this value any more. Change it, then continue.`;
    case "out-of-stock":
      return `${card} is out of stock. Remove it or choose another value, then continue with the others.`;
    case "issuer-unavailable":
      return "We can’t reach the maker of the cards at the moment, and nothing was charged. Your basket is kept: try again in a few minutes.";
    case "test-mode":
      return "This shop is being tested, so no real cards are sold here. Nothing was charged.";
    case "card-too-large":
      return `One card holds at most ${formatPounds(LIMITS.cardPence)}. Choose a smaller value.`;
    case "too-many-lines":
      return `One order holds ${LIMITS.orderLines} cards. Remove some, and buy them afterwards.`;
    case "too-much-today":
      return `One person can buy gift cards of ${formatPounds(LIMITS.dayPence)} within 24 hours. Remove some, or come back tomorrow.`;
    case "too-many-today":
      return `One person can buy ${LIMITS.dayCards} gift cards within 24 hours. Remove some, or come back tomorrow.`;
  }
}

const TAKEN: readonly (PaymentState | null)[] = ["processing", "paid", "partly_refunded", "refunded"];

/** Returns whether the buyer has done their part: the money is here, or on its way. */
export const isPaid = (state: PaymentState | null) => TAKEN.includes(state);

export interface OrderWords {
  title: string;
  lead: string;
}

/** Returns whether an order waits for the end of a dispute of its payment. */
export function waitsForDispute(lines: readonly Pick<BuyersLine, "state" | "reason">[]): boolean {
  return lines.some(({ state, reason }) => state === "held" && reason === "disputed");
}

/** Returns what an order of so many cards is, for its buyer. `isDisputed`: it waits for the end of a dispute (waitsForDispute). */
export function orderInWords(
  progress: OrderProgress,
  payment: PaymentState | null,
  { isLate, isDisputed = false, cards }: { isLate: boolean; isDisputed?: boolean; cards: number },
): OrderWords {
  const your = cards === 1 ? "your card" : "your cards";
  const the = cards === 1 ? "the card" : "the cards";
  const making: OrderWords = {
    title: `Paid. We are getting ${your}`,
    lead: "This usually takes a few seconds, and the page changes by itself.",
  };
  // The provider's notice of a payment can be minutes late, also after one that failed.
  const isUnseen = payment === "awaiting_payment" || payment === "failed";
  switch (progress) {
    case "awaiting-payment":
      if (payment === "processing")
        return {
          title: "Your bank is confirming the payment",
          lead: "This can take a few minutes. You don’t need to do anything, and please don’t pay again.",
        };
      if (isPaid(payment)) return making;
      if (isLate)
        return {
          title: "The time to pay is over",
          lead: isUnseen
            ? "If you have paid, load this page again in a moment. If not, go back to your basket and order again."
            : "Nothing was taken. Your basket is kept: go back to it and order again.",
        };
      if (payment === "failed")
        return {
          title: "A payment did not go through",
          lead: "If you have paid in another way since, load this page again in a moment. If not, try again: your order is kept.",
        };
      return { title: "Pay for your order", lead: "Nothing is taken until you press Pay in the next window." };
    case "held":
      if (isDisputed)
        return {
          title: "Your bank disputed the payment",
          lead: `No card is made until that is over, which can take weeks. Then you get ${the} or your money back, and don’t need to do anything.`,
        };
      return {
        title: "Paid. We are checking your order",
        lead: `A person looks at it within 72 hours. You get ${the} or your money back, and don’t need to do anything.`,
      };
    case "issuing":
      return making;
    case "issued":
      return {
        title: cards === 1 ? "Your card is ready" : "Your cards are ready",
        lead: "The receipt is in your e-mail.",
      };
    case "partly-issued":
      return {
        title: "Some of your cards are ready",
        lead: "We could not get the others. Each says what became of its money.",
      };
    case "refunding":
      return {
        title: "Your order is being refunded",
        lead: `${cards === 1 ? "The card below says why" : "Each card below says why"}. You don’t need to do anything, and the page changes by itself.`,
      };
    case "refunded":
      return {
        title: "Your money is on its way back",
        lead: `We could not get ${the}. Banks take up to five working days.`,
      };
    case "cancelled":
      return { title: "This order was not paid", lead: "Nothing was taken." };
    case "charged-back":
      return { title: "Your bank has taken the payment back", lead: "The order is over, and no card was made." };
  }
}

export interface LineWords {
  tone: "info" | "good" | "warn" | "bad";
  tag: string;
  text: string | null;
}

/** Returns what one card of an order is, for its buyer. */
export function lineInWords(
  { state, reason, paidPence, gift }: Pick<BuyersLine, "state" | "reason" | "paidPence" | "gift">,
  { isPaid: paid }: { isPaid: boolean },
): LineWords {
  switch (state) {
    case "awaiting_payment":
      return paid ? { tone: "info", tag: "Being made", text: null } : { tone: "info", tag: "Not paid yet", text: null };
    case "held":
      if (reason === "disputed")
        return {
          tone: "warn",
          tag: "Disputed",
          text: `${refundedBecause(reason)} No card is made until that is over.`,
        };
      return { tone: "warn", tag: "Being checked", text: "We look at this order by hand, within 72 hours." };
    case "issuing":
      return { tone: "info", tag: "Being made", text: "If we can’t get it within a day, your money goes back." };
    case "issued":
      return gift ? { tone: "good", tag: "A present", text: null } : { tone: "good", tag: "Ready", text: null };
    case "reversing":
    case "refunding":
      // Until the dispute is decided, nothing is sent: the buyer's bank may have the money.
      if (reason === "disputed")
        return {
          tone: "warn",
          tag: "Disputed",
          text: `${refundedBecause(reason)} What happens to the money is decided there.`,
        };
      return {
        tone: "warn",
        tag: "Being refunded",
        text: `${refundedBecause(reason)} We are sending ${formatPounds(paidPence)} back.`,
      };
    case "refunded":
      return {
        tone: "warn",
        tag: "Refunded",
        text: `${refundedBecause(reason)} We sent ${formatPounds(paidPence)} back to the card or account you paid with.`,
      };
    case "cancelled":
      return { tone: "info", tag: "Not bought", text: "Nothing was taken for it." };
    case "charged_back":
      return { tone: "warn", tag: "Not made", text: "Your bank gave you the money back." };
  }
}

/** Returns a text that differs whenever the page of an order would: scripts compare it. */
export function orderMark(order: { paymentState: PaymentState | null; lines: readonly { state: string }[] }): string {
  const paid = isPaid(order.paymentState) ? order.paymentState : order.paymentState === "failed" ? "failed" : "open";
  return [paid, ...order.lines.map(({ state }) => state)].join(" ");
}

/** Returns whether an order still changes by itself. */
export function isMoving(progress: OrderProgress, payment: PaymentState | null): boolean {
  if (progress === "awaiting-payment") return isPaid(payment);
  return progress === "held" || progress === "issuing" || progress === "refunding";
}

export const designNames: Readonly<Record<GiftDesign, string>> = {
  birthday: "Happy birthday",
  thanks: "Thank you",
  celebration: "Congratulations",
  plain: "Plain",
};

export function cardCount(count: number): string {
  return count === 1 ? "1 card" : `${count} cards`;
}
