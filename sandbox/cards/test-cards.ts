/** The behaviour of a test card when it is charged. */
export interface CardBehaviour {
  brand: "visa" | "mastercard" | "amex";
  funding: "credit" | "debit";
  /** Whether a challenge is required first. */
  challenge: boolean;
  /** Why it is then declined, or null. */
  refusal: Refusal | null;
}

export interface Refusal {
  code: string;
  declineCode?: string;
  message: string;
}

const declined = (declineCode: string, message = "Your card was declined."): Refusal => ({
  code: "card_declined",
  declineCode,
  message,
});
const visa = (refusal: Refusal | null, challenge = false): CardBehaviour => ({
  brand: "visa",
  funding: "credit",
  challenge,
  refusal,
});

/** The provider's published test cards that are needed here. */
const testCards: ReadonlyMap<string, CardBehaviour> = new Map([
  ["4242424242424242", visa(null)],
  ["4000058260000005", { ...visa(null), funding: "debit" }],
  ["4000008260000000", visa(null)],
  ["5555555555554444", { brand: "mastercard", funding: "credit", challenge: false, refusal: null }],
  ["378282246310005", { brand: "amex", funding: "credit", challenge: false, refusal: null }],
  ["4000000000000002", visa(declined("generic_decline"))],
  ["4000000000009995", visa(declined("insufficient_funds", "Your card has insufficient funds."))],
  ["4000000000009987", visa(declined("lost_card"))],
  ["4000000000009979", visa(declined("stolen_card"))],
  ["4000000000000069", visa({ code: "expired_card", message: "Your card has expired." })],
  ["4000000000000127", visa({ code: "incorrect_cvc", message: "Your card's security code is incorrect." })],
  [
    "4000000000000119",
    visa({
      code: "processing_error",
      message: "An error occurred while processing your card. Try again in a little bit.",
    }),
  ],
  ["4000000000003220", visa(null, true)],
  ["4000002500003155", visa(null, true)],
  ["4000008400001629", visa(declined("generic_decline"), true)],
]);

/** Any other number counts as a real card, which the sandbox declines. */
const notATestCard = declined(
  "test_mode_live_card",
  "Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
);

export function behaviourOf(number: string): CardBehaviour {
  return testCards.get(number) ?? visa(notATestCard);
}

/** The provider's test payment methods for servers, such as pm_card_visa, with their card numbers. */
export const readyMadeMethods: ReadonlyMap<string, string> = new Map([
  ["pm_card_visa", "4242424242424242"],
  ["pm_card_mastercard", "5555555555554444"],
  ["pm_card_amex", "378282246310005"],
  ["pm_card_chargeDeclined", "4000000000000002"],
  ["pm_card_chargeDeclinedInsufficientFunds", "4000000000009995"],
  ["pm_card_visa_chargeDeclinedLostCard", "4000000000009987"],
  ["pm_card_visa_chargeDeclinedStolenCard", "4000000000009979"],
  ["pm_card_chargeDeclinedExpiredCard", "4000000000000069"],
  ["pm_card_chargeDeclinedIncorrectCvc", "4000000000000127"],
  ["pm_card_chargeDeclinedProcessingError", "4000000000000119"],
  ["pm_card_threeDSecure2Required", "4000000000003220"],
  ["pm_card_authenticationRequired", "4000002500003155"],
]);

/** Returns whether the digits pass the Luhn check. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
