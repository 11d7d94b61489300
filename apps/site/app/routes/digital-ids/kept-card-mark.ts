/** Set in localStorage while a card is stored, so that pages need not open a database to find out. */
export const KEPT_CARD_MARK = "farthing_card";
