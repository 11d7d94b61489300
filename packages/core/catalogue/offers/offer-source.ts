/** The source of offers that are of no network, in the filter of the list. No slug of a network begins with a dash. */
export const THE_CLUB = "-";
