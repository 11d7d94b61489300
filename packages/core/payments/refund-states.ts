/** How partners are told what became of a refund. `failed`: it was made, and the payer's bank sent it back. */
export const partnerRefundStates = ["pending", "succeeded", "refused", "failed"] as const;
export type PartnerRefundState = (typeof partnerRefundStates)[number];
