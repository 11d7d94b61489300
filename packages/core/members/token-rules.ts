/** What a link in an e-mail may do. The database has the same list (a check on `member_tokens`), and a test compares the two. */
export const tokenPurposes = ["confirm-email", "reset-password", "add-email", "undo-email-change"] as const;

export type TokenPurpose = (typeof tokenPurposes)[number];

const hour = 60 * 60 * 1000;

/** How long a link in an e-mail works. */
export const tokenLifeMs: Record<TokenPurpose, number> = {
  "confirm-email": 24 * hour,
  "reset-password": hour,
  "add-email": 24 * hour,
  "undo-email-change": 7 * 24 * hour,
};
