/** Addresses one member may have, the main one included. */
export const MAX_EMAILS = 5;
