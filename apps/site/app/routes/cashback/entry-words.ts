import type { CashbackState, TimelineStep } from "@farthing/core/cashback/cashback-view.ts";

export const stateWords: Record<CashbackState, { label: string; tone: string }> = {
  tracked: { label: "Pending", tone: "is-warn" },
  confirmed: { label: "Confirmed", tone: "" },
  payable: { label: "Yours", tone: "is-good" },
  paid: { label: "Paid", tone: "is-good" },
  declined: { label: "Declined", tone: "is-bad" },
};

/** The words for each step, once it has happened and while it is still to come. */
export const stepWords: Record<TimelineStep["step"], { done: string; ahead: string }> = {
  clicked: { done: "You followed our link", ahead: "You follow our link" },
  tracked: { done: "The shop told us of your purchase", ahead: "The shop tells us of your purchase" },
  amended: { done: "The amount changed", ahead: "The amount changes" },
  confirmed: { done: "The shop confirmed it", ahead: "The shop confirms it" },
  payable: { done: "The shop has paid us: it is yours", ahead: "Yours, once the shop has paid us" },
  paid: { done: "Paid out to you", ahead: "Paid out to you" },
  declined: { done: "The shop declined it", ahead: "The shop declines it" },
};

/** What a row says about the next step. */
export const nextWords: Partial<Record<TimelineStep["step"], string>> = {
  confirmed: "Confirmation",
  payable: "Yours",
  paid: "Payment",
};
