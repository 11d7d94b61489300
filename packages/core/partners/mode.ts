/**
 * Whether a key, and what is made with it, can move money. `test`: the card provider's test side only, where no card is
 * charged; never in lists, webhooks or books of `live` (decision 033).
 */
export const partnerModes = ["live", "test"] as const;
export type PartnerMode = (typeof partnerModes)[number];
