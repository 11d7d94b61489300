/**
 * The parts of the script that are loaded on demand, with the number that "Loading chunk N failed" shows for each (T5).
 * A number belongs to its part for good, because logs are searched for it. Confetti is 8; 6 is
 * no longer used.
 */
export const lazyChunks = {
  searchSuggestions: 1,
  carousel: 2,
  attachmentPond: 3,
  digitalIdDialog: 4,
  keptCard: 5,
  commonPasswords: 7,
  confetti: 8,
  hydration: 9,
  offers: 10,
  framePage: 11,
  portal: 12,
  keptGiftCards: 13,
} as const;

/** The numbers of the islands, by name (islands/island.tsx). They begin at 20 and share the rule above. */
export const islandChunks = {
  "close-form": 20,
  "login-form": 21,
  "again-form": 22,
  "code-form": 23,
  "confirm-email-form": 24,
  "forgotten-password-form": 25,
  "password-form": 26,
  "reset-password-form": 27,
  "passkey-form": 28,
  "new-passkey": 29,
  "two-step-form": 30,
  "add-email-form": 31,
  "own-details-form": 32,
  "registration-form": 33,
  "details-form": 34,
  "payee-form": 35,
  "upload-form": 36,
  "work-email-form": 37,
  "bank-details-form": 45,
  "claim-form": 46,
  "give-form": 48,
  "payment-form": 50,
  "show-code": 51,
  "kept-card": 52,
  "kept-gift-cards": 53,
  example: 80,
} as const;
