/** Why a sale of a network's report is credited to nobody, in words for operators (C2). */
export const HELD_REASONS = {
  no_reference: "it carries no reference of a click",
  unknown_reference: "its reference is of no click of ours",
  unknown_programme: "its programme is not known",
  other_retailer: "its click was to another retailer",
  no_exchange_rate: "there is no exchange rate for its currency yet",
  claims_conflict: "two claims name its order",
} as const;
export type HeldReason = keyof typeof HELD_REASONS;

/** What credits a sale that is held for a reason, or what an operator can do for its member, in a sentence or two for operators. */
export const HELD_HELP: Record<HeldReason, string> = {
  no_reference:
    "A claim that names its order, and that the network has, credits it to the member. Without an order number, only the network’s answer to a claim can name it.",
  unknown_reference:
    "A claim that names its order, and that the network has, credits it to the member. Without an order number, only the network’s answer to a claim can name it.",
  unknown_programme: "Import the network’s programmes. The sale is credited when the report is read the next time.",
  other_retailer:
    "No claim credits it, and it stays here. Open its click to see the member. If the purchase was meant to earn, give the member a goodwill credit.",
  no_exchange_rate:
    "No claim credits it. Add a rate of that day for its currency under Networks, Exchange rates. The sale is credited when the networks’ reports are read the next time.",
  claims_conflict:
    "Open the claims of its order, read the evidence, and decline all but one. The sale is credited to that one.",
};

/** Days after which home asks somebody to look at an unmatched sale that no import and no rate mends: by then a member may have claimed it. */
export const HELD_ASKED_AFTER_DAYS = 7;
/** Days after which home asks no more: a sale of somebody who is no member is never claimed. It stays in the list. */
export const HELD_ASKED_FOR_DAYS = 30;

/**
 * SQL: whether, at `now`, home asks an operator to look at the held `sale` (a row of network_transactions). A sale that the retailer has declined
 * earns nobody anything. In hours, because days of PostgreSQL follow the session's time zone, and one of them can have 25.
 * @param now SQL of the moment
 */
export const isHeldSaleAsked = (
  now: string,
): string => `sale.held_because in ('no_reference', 'unknown_reference', 'other_retailer')
  and sale.status in ('pending', 'approved') and sale.created_at <= ${now} - interval '${HELD_ASKED_AFTER_DAYS * 24} hours'
  and sale.created_at > ${now} - interval '${HELD_ASKED_FOR_DAYS * 24} hours'`;
