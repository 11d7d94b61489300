/**
 * The reasons for which a network declines or changes a sale, each with the sentence that a member reads: a member never reads a bare
 * "declined" (C3). Adapters map their own codes and texts to these reasons, and anything unknown to `not_given`.
 */
export const DECLINE_REASONS = {
  returned: "The retailer told us the order was returned or refunded.",
  cancelled: "The retailer told us the order was cancelled.",
  duplicate: "The retailer told us this order was already counted.",
  not_eligible: "The retailer told us the purchase did not meet its cashback terms.",
  voucher: "The retailer told us a code was used that cannot be combined with cashback.",
  other_site: "The retailer credited the purchase to another site that was visited later.",
  not_paid: "The retailer told us the order was not paid for.",
  out_of_stock: "The retailer told us it could not deliver the order.",
  existing_customer: "The retailer told us this was only for new customers.",
  test: "The retailer told us this was a test order.",
  amended: "The retailer changed the amount of the order.",
  not_given: "The retailer gave no reason.",
} as const;

export type DeclineReason = keyof typeof DECLINE_REASONS;

export function isDeclineReason(code: string): code is DeclineReason {
  return Object.hasOwn(DECLINE_REASONS, code);
}
