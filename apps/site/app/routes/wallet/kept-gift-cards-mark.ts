/** Set in localStorage while gift cards are stored, so that pages need not open a database to find out. */
export const KEPT_GIFT_CARDS_MARK = "farthing_gift_cards";
