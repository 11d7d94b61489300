/** Marks the buttons that use an offer: a click on one is the event OfferRedeemed (T1). Whoever has to log in first uses nothing yet. */
export const REDEEMS = { "data-redeems": "" } as const;

/** Marks the buttons of an offer that lead visitors to the login first (T4). */
export const REGISTERS = { "data-tracking": "register_for_offer" } as const;
