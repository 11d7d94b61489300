/**
 * The reasons for which a network declines or changes a sale, each with the sentence that a member reads: a member never reads a bare
 * "declined" (C3). Adapters map their own codes and texts to these reasons, and anything unknown to `unknown_code`.
 */
export const DECLINE_REASONS = {
  returned: "The retailer told us the order was returned or refunded.",
  cancelled: "The retailer told us the order was cancelled.",
  booking_cancelled: "The retailer told us the booking was cancelled.",
  duplicate: "The retailer told us this order was already counted.",
  not_eligible: "The retailer told us the purchase did not meet its cashback terms.",
  unqualified: "The retailer told us the application or sign-up did not meet its conditions.",
  voucher: "The retailer told us a code was used that cannot be combined with cashback.",
  other_site: "The retailer credited the purchase to another site that was visited later.",
  not_found: "The retailer told us it could not find the order.",
  disputed: "The retailer does not agree that the purchase came through our link.",
  not_paid: "The retailer told us the order was not paid for.",
  card_refused: "The retailer told us the payment card was not accepted.",
  insolvent: "The retailer told us the order was not paid for because of an insolvency.",
  out_of_stock: "The retailer told us it could not deliver the order.",
  existing_customer: "The retailer told us this was only for new customers.",
  suspected_fraud: "The retailer told us it does not believe the order was genuine.",
  mistaken_order: "The retailer told us the order was placed by mistake.",
  wrongly_recorded: "The retailer told us it had recorded the order wrongly.",
  over_limit: "The retailer had used up the amount that it sets aside for cashback.",
  test: "The retailer told us this was a test order.",
  amended: "The retailer changed the amount of the order.",
  accepted_again: "The retailer checked again and accepted the purchase.",
  other: "The retailer gave “other” as its reason and no details.",
  unknown_code: "The retailer gave a reason that we do not know yet. We are finding out what it means.",
  not_given: "The retailer gave no reason.",
} as const;

export type DeclineReason = keyof typeof DECLINE_REASONS;

export function isDeclineReason(code: string): code is DeclineReason {
  return Object.hasOwn(DECLINE_REASONS, code);
}

/** Who made a decision, and what a member who disagrees can do about it. */
export interface DecisionFacts {
  decidedBy: "the retailer" | "the retailer’s network";
  /** What to send us to have the decision looked at again; null where there is nothing to appeal. */
  appeal: string | null;
}

const ORDER_PROOF =
  "Send us the order confirmation that shows you kept the order, and we ask the retailer to look again.";
const TERMS_PROOF = "Send us the order confirmation and what you bought, and we ask the retailer which term it means.";
const PAYMENT_PROOF =
  "Send us the receipt or the statement that shows the payment, and we ask the retailer to look again.";
const LINK_PROOF =
  "Your receipt for the click shows when you followed our link. Send us the order confirmation with its time.";
const ANY_PROOF = "Send us the order confirmation, and we ask the retailer for its reason.";

/** Who decided for each reason, and what can be appealed (C3). */
export const DECISION_FACTS: Readonly<Record<DeclineReason, DecisionFacts>> = {
  returned: { decidedBy: "the retailer", appeal: ORDER_PROOF },
  cancelled: { decidedBy: "the retailer", appeal: ORDER_PROOF },
  booking_cancelled: {
    decidedBy: "the retailer",
    appeal: "Send us the invoice of your stay or journey, and we ask the retailer to look again.",
  },
  duplicate: {
    decidedBy: "the retailer",
    appeal: "If you placed two orders, send us both order numbers, and we ask the retailer to look again.",
  },
  not_eligible: { decidedBy: "the retailer", appeal: TERMS_PROOF },
  unqualified: {
    decidedBy: "the retailer",
    appeal: "Send us the retailer’s letter or e-mail that accepted you, and we ask it to look again.",
  },
  voucher: {
    decidedBy: "the retailer",
    appeal: "If you used no code, or one from this site, send us the order confirmation with its total.",
  },
  other_site: { decidedBy: "the retailer’s network", appeal: LINK_PROOF },
  not_found: {
    decidedBy: "the retailer",
    appeal:
      "Send us the order confirmation with the order number and its total, and we ask the retailer to look again.",
  },
  disputed: { decidedBy: "the retailer", appeal: LINK_PROOF },
  not_paid: { decidedBy: "the retailer", appeal: PAYMENT_PROOF },
  card_refused: { decidedBy: "the retailer", appeal: PAYMENT_PROOF },
  insolvent: { decidedBy: "the retailer’s network", appeal: null },
  out_of_stock: {
    decidedBy: "the retailer",
    appeal: "If the order arrived after all, send us the delivery note, and we ask the retailer to look again.",
  },
  existing_customer: {
    decidedBy: "the retailer",
    appeal: "If you had never bought there before, tell us, and we ask the retailer to look again.",
  },
  suspected_fraud: { decidedBy: "the retailer", appeal: PAYMENT_PROOF },
  mistaken_order: { decidedBy: "the retailer", appeal: ORDER_PROOF },
  wrongly_recorded: { decidedBy: "the retailer", appeal: ORDER_PROOF },
  over_limit: { decidedBy: "the retailer", appeal: LINK_PROOF },
  test: { decidedBy: "the retailer", appeal: ORDER_PROOF },
  amended: {
    decidedBy: "the retailer",
    appeal:
      "If the amount is wrong, send us the order confirmation with its prices, and we ask the retailer to look again.",
  },
  accepted_again: { decidedBy: "the retailer", appeal: null },
  other: { decidedBy: "the retailer", appeal: ANY_PROOF },
  unknown_code: { decidedBy: "the retailer", appeal: ANY_PROOF },
  not_given: { decidedBy: "the retailer", appeal: ANY_PROOF },
};
