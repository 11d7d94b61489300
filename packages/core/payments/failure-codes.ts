/**
 * Why an attempt to pay failed, as partners are told (W10; docs/partners-api.md lists them). The codes are the card provider's own words. Each says
 * something that the payer can act on; every other decline is `generic_decline`.
 */
export const failureCodes = [
  "insufficient_funds",
  "card_velocity_exceeded",
  "withdrawal_count_limit_exceeded",
  "expired_card",
  "incorrect_number",
  "incorrect_cvc",
  "card_not_supported",
  "currency_not_supported",
  "authentication_required",
  "payment_intent_authentication_failure",
  "call_issuer",
  "do_not_honor",
  "transaction_not_allowed",
  "issuer_not_available",
  "processing_error",
  "try_again_later",
  "generic_decline",
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** Other words of the provider for the same. */
const synonyms: Readonly<Record<string, FailureCode>> = {
  invalid_number: "incorrect_number",
  invalid_cvc: "incorrect_cvc",
  invalid_expiry_month: "expired_card",
  invalid_expiry_year: "expired_card",
};

/**
 * Returns the code for the words of the provider, the more specific first; null where it gives none. What it advises to keep from the payer (a lost or
 * stolen card, suspected fraud) is a `generic_decline`, and so is a word that it adds later.
 */
export function failureCodeOf(words: readonly (string | null | undefined)[]): FailureCode | null {
  const word = words.find(Boolean);
  if (!word) return null;
  return failureCodes.find((code) => code === word) ?? synonyms[word] ?? "generic_decline";
}
