/**
 * The parts of the script that come when they are wanted, with the number that "Loading chunk N failed" has for each (seed section 8). Confetti
 * is the seed's chunk 8. A number belongs to its part for good: logs are searched for it.
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
