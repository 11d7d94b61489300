/**
 * The purposes of links in e-mails. A check constraint on `member_tokens` has the same list, and a test compares
 * the two.
 */
export const tokenPurposes = [
  "confirm-email",
  "reset-password",
  "add-email",
  "undo-email-change",
  "remove-bank-details",
] as const;

export type TokenPurpose = (typeof tokenPurposes)[number];

const HOUR_MS = 60 * 60 * 1000;

/** Lifetime of each kind of link, in milliseconds. */
export const tokenLifeMs: Record<TokenPurpose, number> = {
  "confirm-email": 24 * HOUR_MS,
  "reset-password": HOUR_MS,
  "add-email": 24 * HOUR_MS,
  "undo-email-change": 7 * 24 * HOUR_MS,
  "remove-bank-details": 7 * 24 * HOUR_MS,
};
