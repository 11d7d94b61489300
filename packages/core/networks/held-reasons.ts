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
