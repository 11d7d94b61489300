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
  consent: 14,
  telemetry: 15,
  portalCookies: 16,
} as const;
