/**
 * The parts of the script that are loaded on demand, with the number that "Loading chunk N failed" shows for each (T5).
 * A number belongs to its part for good, because logs are searched for it. Confetti is 8.
 */
export const lazyChunks = {
  searchSuggestions: 1,
  carousel: 2,
  attachmentPond: 3,
  digitalIdDialog: 4,
  keptCard: 5,
  appDialog: 6,
  commonPasswords: 7,
  confetti: 8,
} as const;
