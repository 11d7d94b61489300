/** In localStorage while a card is kept: pages look for it instead of opening a database each time. */
export const keptCardMark = "farthing_card";
