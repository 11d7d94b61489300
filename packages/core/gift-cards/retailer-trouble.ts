/**
 * States of a retailer in which its gift cards are not sold: its shops may refuse them at any time. A paused retailer has only stopped
 * its offers and trades on, so that its cards are sold.
 */
export const troubledStatuses = ["in_administration", "closed"] as const;
export type TroubledStatus = (typeof troubledStatuses)[number];

/** What whoever has a card of such a retailer reads. */
export const TROUBLE_ADVICE =
  "A shop in trouble often takes gift cards for a short time only, and may stop on any day.";

/** What buyers and owners of cards read of such a retailer. */
export const troubleWords: Readonly<Record<TroubledStatus, string>> = {
  in_administration: "The shop is in administration.",
  closed: "The shop has closed.",
};
